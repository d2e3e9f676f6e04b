/** Tests of {@code format}. */
@NullMarked
package org.restorej.redset.internal.format;

import org.jspecify.annotations.NullMarked;

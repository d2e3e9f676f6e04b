/** Tests of {@code format}. */
@NullMarked
package org.restorej.redset.format;

import org.jspecify.annotations.NullMarked;

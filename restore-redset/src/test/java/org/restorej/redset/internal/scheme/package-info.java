/** Tests of {@code scheme}. */
@NullMarked
package org.restorej.redset.internal.scheme;

import org.jspecify.annotations.NullMarked;

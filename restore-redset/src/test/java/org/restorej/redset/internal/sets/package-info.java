/** Tests of {@code sets}. */
@NullMarked
package org.restorej.redset.internal.sets;

import org.jspecify.annotations.NullMarked;

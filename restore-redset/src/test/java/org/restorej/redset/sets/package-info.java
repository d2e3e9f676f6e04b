/** Tests of {@code sets}. */
@NullMarked
package org.restorej.redset.sets;

import org.jspecify.annotations.NullMarked;

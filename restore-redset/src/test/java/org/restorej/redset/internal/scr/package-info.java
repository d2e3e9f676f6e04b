/** Tests of the offline tool on directories with losses. */
@NullMarked
package org.restorej.redset.internal.scr;

import org.jspecify.annotations.NullMarked;

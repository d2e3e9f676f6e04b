/** Tests of the files of SCR. */
@NullMarked
package org.restorej.redset.internal.scr;

import org.jspecify.annotations.NullMarked;

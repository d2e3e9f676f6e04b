/** Tests of files of blocks. */
@NullMarked
package org.restorej.redset.blocks;

import org.jspecify.annotations.NullMarked;

/** Tests of files of blocks. */
@NullMarked
package org.restorej.redset.internal.blocks;

import org.jspecify.annotations.NullMarked;

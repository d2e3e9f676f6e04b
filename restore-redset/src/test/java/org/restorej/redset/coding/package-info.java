/** Tests of encoding and rebuilding whole sets, against redset's own files. */
@NullMarked
package org.restorej.redset.coding;

import org.jspecify.annotations.NullMarked;

/** Tests of encoding and rebuilding whole sets, against redset's own files. */
@NullMarked
package org.restorej.redset.internal.coding;

import org.jspecify.annotations.NullMarked;

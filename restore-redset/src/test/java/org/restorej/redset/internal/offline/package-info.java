/** Tests of the offline tool on directories with losses. */
@NullMarked
package org.restorej.redset.internal.offline;

import org.jspecify.annotations.NullMarked;

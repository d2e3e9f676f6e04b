/** What one PE does alone for an operation, for up to a million PEs that need not be there. */
@NullMarked
package org.restorej.bench.scale;

import org.jspecify.annotations.NullMarked;

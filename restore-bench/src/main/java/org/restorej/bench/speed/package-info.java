/** How near the operations of a store come to what plain MPI calls take for the same bytes; starts from the command line. */
@NullMarked
package org.restorej.bench.speed;

import org.jspecify.annotations.NullMarked;

/**
 * What the store's operations are compared with: the same bytes between the same ranks by plain MPI calls. Knows nothing
 * of the store but the bytes' ways.
 */
@NullMarked
package org.restorej.bench.mpi.rival;

import org.jspecify.annotations.NullMarked;

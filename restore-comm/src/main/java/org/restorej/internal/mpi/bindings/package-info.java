/** MPI called by the Java bindings of Open MPI. Nothing else of the library but {@code EmbeddedMpi} refers to them. */
@NullMarked
package org.restorej.internal.mpi.bindings;

import org.jspecify.annotations.NullMarked;

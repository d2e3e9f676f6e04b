/**
 * What communicators on MPI call: the dozen functions of an MPI library, and fault tolerance where it has any. There
 * are two ways to call them: Open MPI's Java bindings, and foreign functions.
 */
@NullMarked
package org.restorej.internal.mpi;

import org.jspecify.annotations.NullMarked;

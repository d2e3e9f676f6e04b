/**
 * Compile-only signatures of the part of the Open MPI Java bindings (4.1 and 5.0) that this project calls.
 *
 * <p>
 * {@code mpi.jar} is in no public repository, so the project is compiled against these and run with the {@code mpi.jar}
 * of the MPI installation. Every method here throws: if one does, this jar has come onto a class path by mistake.
 */
package mpi;

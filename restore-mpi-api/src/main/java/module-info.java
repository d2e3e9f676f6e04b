/** Has the name that an installation's {@code mpi.jar} gets on a module path, where it is an automatic module. */
module mpi {
    exports mpi;
}

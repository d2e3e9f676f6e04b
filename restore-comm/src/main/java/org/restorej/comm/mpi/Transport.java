package org.restorej.comm.mpi;

import java.lang.reflect.InvocationTargetException;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.mpi.MpiLibrary;
import org.restorej.internal.mpi.bindings.BindingsLibrary;
import org.restorej.internal.mpi.foreign.ForeignLibraries;
import org.restorej.internal.mpi.foreign.MpiNotFoundException;
import org.restorej.internal.mpi.foreign.ProcessEnvironment;

/** How MPI is called. */
enum Transport {
    /** By foreign functions. */
    NATIVE {
        @Override
        MpiLibrary load() {
            ProcessEnvironment.prepare();
            try {
                return ForeignLibraries.load();
            } catch (MpiNotFoundException e) {
                throw new Mpi.UnavailableException(String.valueOf(e.getMessage()), e);
            }
        }
    },
    /** By the Java bindings of Open MPI. */
    BINDINGS {
        @Override
        MpiLibrary load() {
            ProcessEnvironment.prepare();
            requireBindings();
            return new BindingsLibrary();
        }
    };

    private static final String VARIABLE = "RESTOREJ_MPI_TRANSPORT";

    private static final String START = "make them available with bin/bootstrap --bindings and start the program "
            + "with bin/mpirun-java, or set the environment variable that bin/mpirun-java --print-environment prints; "
            + "or call MPI by foreign functions (class Mpi), for which no bindings are needed";

    /** The library, loaded but not initialised; throws {@link Mpi.UnavailableException} when there is none. */
    abstract MpiLibrary load();

    /** What the system property or the environment variable says. */
    static Transport ofProcess() {
        String property = System.getProperty(Mpi.TRANSPORT_PROPERTY);
        return property == null || property.isEmpty()
                ? of(VARIABLE, System.getenv(VARIABLE))
                : of(Mpi.TRANSPORT_PROPERTY, property);
    }

    private static Transport of(String option, @Nullable String name) {
        if (name == null || name.isEmpty() || name.equals("native")) {
            return NATIVE;
        }
        if (name.equals("bindings")) {
            return BINDINGS;
        }
        throw new IllegalArgumentException(option + " must be native or bindings: " + option + "=" + name);
    }

    /** Loads the bindings and their native library, before any class is touched that refers to them. */
    static void requireBindings() {
        try {
            Class<?> mpi = Class.forName("mpi.MPI");
            mpi.getMethod("isInitialized").invoke(null);
        } catch (ClassNotFoundException e) {
            throw new Mpi.UnavailableException("the Java bindings of Open MPI (mpi.jar) are not on the class path: "
                    + START, e);
        } catch (UnsatisfiedLinkError e) {
            throw new Mpi.UnavailableException("the native library of Open MPI's Java bindings (libmpi_java) can't be "
                    + "loaded from java.library.path=" + System.getProperty("java.library.path")
                    + ": " + START, e);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            throw new Mpi.UnavailableException("the class path has other classes than the Java bindings of Open MPI in "
                    + "package mpi: put the mpi.jar of the MPI installation first", e);
        }
    }
}

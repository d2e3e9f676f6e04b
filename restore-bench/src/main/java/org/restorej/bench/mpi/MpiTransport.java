package org.restorej.bench.mpi;

import org.restorej.bench.mpi.rival.BindingsMpi;
import org.restorej.bench.mpi.rival.NativeMpi;
import org.restorej.bench.mpi.rival.PlainMpi;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.comm.mpi.Mpi;

/** How ranks call MPI: the library, and its rivals. */
public enum MpiTransport {
    /** By foreign functions. */
    NATIVE("native") {
        @Override
        PlainMpi plainMpi() {
            return new NativeMpi();
        }
    },
    /** By the Java bindings of Open MPI. */
    BINDINGS("bindings") {
        @Override
        PlainMpi plainMpi() {
            return new BindingsMpi();
        }
    };

    /** Name of the parameter that tells it. */
    public static final String PARAM = BenchmarkKey.TRANSPORT;

    private final String text;

    MpiTransport(String text) {
        this.text = text;
    }

    /** As in options and results. */
    public String text() {
        return text;
    }

    /** The option of the JVM for it. */
    public String vmOption() {
        return "-D" + Mpi.TRANSPORT_PROPERTY + "=" + text;
    }

    /** MPI for rivals. Collective. */
    abstract PlainMpi plainMpi();

    /** What the library goes by in this process. */
    static MpiTransport ofProcess() {
        String variable = System.getenv("RESTOREJ_MPI_TRANSPORT");
        String text = System.getProperty(Mpi.TRANSPORT_PROPERTY, variable == null ? "" : variable);
        return text.equals(BINDINGS.text) ? BINDINGS : NATIVE;
    }
}

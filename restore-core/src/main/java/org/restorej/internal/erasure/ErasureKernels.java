package org.restorej.internal.erasure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the kernel, once in a JVM: ISA-L if its library can be loaded, otherwise plain Java. The system property
 * {@value #PROPERTY} forces {@code isal} or {@code swar}. The choice is logged: ISA-L at level DEBUG, another at level
 * INFO. Thread-safe.
 */
public final class ErasureKernels {
    /** System property that forces a kernel. */
    public static final String PROPERTY = "org.restorej.erasure.kernel";

    private static final System.Logger LOG = System.getLogger(ErasureKernels.class.getName());

    private static @Nullable ErasureKernel preferred;

    private ErasureKernels() {}

    /**
     * The chosen kernel, the same at every call.
     *
     * @throws IllegalArgumentException when the property names an unknown kernel, or one that can't be loaded
     */
    public static synchronized ErasureKernel preferred() {
        if (preferred == null) {
            preferred = named(System.getProperty(PROPERTY, "auto"));
            logChoice(preferred, isalAbsence());
        }
        return preferred;
    }

    /** Logs the choice; the usual one at DEBUG, because a job's first log line takes the JVM a while. */
    static void logChoice(ErasureKernel kernel, Optional<String> isalAbsence) {
        String why = isalAbsence.map(reason -> ", as ISA-L is absent (" + reason + ")").orElse("");
        LOG.log(kernel instanceof IsalKernel ? System.Logger.Level.DEBUG : System.Logger.Level.INFO,
                "erasure kernel: {0}{1}", kernel.name(), why);
    }

    /** All kernels that work here, the preferred one first. */
    public static List<ErasureKernel> available() {
        List<ErasureKernel> kernels = new ArrayList<>();
        Isal.KERNEL.ifPresent(kernels::add);
        kernels.add(new SwarKernel());
        return kernels;
    }

    /** The reason why ISA-L is absent; empty if it is available. */
    public static Optional<String> isalAbsence() {
        return Isal.KERNEL.isPresent() ? Optional.empty() : Optional.of(Isal.LOADED.reason());
    }

    /**
     * The kernel of a name.
     *
     * @param name {@code isal} or {@code swar}, in any case, or {@code auto}
     * @throws IllegalArgumentException when the name is unknown, or the kernel can't be loaded
     */
    static ErasureKernel named(String name) {
        String lowerCase = name.toLowerCase(Locale.ROOT);
        List<ErasureKernel> kernels = available();
        if (lowerCase.equals("auto")) {
            return kernels.get(0);
        }
        for (ErasureKernel kernel : kernels) {
            if (kernel.name().equals(lowerCase)) {
                return kernel;
            }
        }
        throw new IllegalArgumentException(lowerCase.equals("isal")
                ? "ISA-L could not be loaded: " + Isal.LOADED.reason()
                : PROPERTY + " must be isal, swar or auto: " + name);
    }

    /** Loads the library at the first access. */
    private static final class Isal {
        static final IsalLibrary.Loaded LOADED = IsalLibrary.load();
        static final Optional<ErasureKernel> KERNEL = LOADED.library().map(IsalKernel::new);
    }
}

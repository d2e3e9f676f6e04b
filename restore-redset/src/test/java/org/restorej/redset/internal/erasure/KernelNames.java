package org.restorej.redset.internal.erasure;

/** Prints the kernels that work in this JVM, and why one by the name of the first argument does not. */
final class KernelNames {
    private KernelNames() {}

    public static void main(String[] args) {
        for (ErasureKernel kernel : ErasureKernels.available()) {
            System.out.println("available " + kernel.name());
        }
        try {
            System.out.println("chosen " + ErasureKernels.named(args[0]).name());
        } catch (IllegalArgumentException absent) {
            System.out.println("refused: " + absent.getMessage());
        }
    }
}

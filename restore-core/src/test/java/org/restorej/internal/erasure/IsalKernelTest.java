package org.restorej.internal.erasure;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;

class IsalKernelTest extends ErasureKernelContract {
    @BeforeEach
    void needsTheLibrary() {
        Assumptions.assumeTrue(ErasureKernels.isalAbsence().isEmpty(), () -> ErasureKernels.isalAbsence().orElse(""));
    }

    @Override
    ErasureKernel kernel() {
        return ErasureKernels.named("isal");
    }
}

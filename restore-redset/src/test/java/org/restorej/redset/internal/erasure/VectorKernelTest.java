package org.restorej.redset.internal.erasure;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;

class VectorKernelTest extends ErasureKernelContract {
    @BeforeEach
    void needsTheModule() {
        Assumptions.assumeTrue(ErasureKernels.vectorAbsence().isEmpty(),
                () -> ErasureKernels.vectorAbsence().orElse(""));
    }

    @Override
    ErasureKernel kernel() {
        return ErasureKernels.named("vector");
    }
}

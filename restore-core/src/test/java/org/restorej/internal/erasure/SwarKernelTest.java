package org.restorej.internal.erasure;

class SwarKernelTest extends ErasureKernelContract {
    @Override
    ErasureKernel kernel() {
        return new SwarKernel();
    }
}

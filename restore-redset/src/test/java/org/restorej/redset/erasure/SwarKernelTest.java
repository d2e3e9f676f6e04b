package org.restorej.redset.erasure;

class SwarKernelTest extends ErasureKernelContract {
    @Override
    ErasureKernel kernel() {
        return new SwarKernel();
    }
}

package org.restorej.internal.erasure;

class ScalarKernelTest extends ErasureKernelContract {
    @Override
    ErasureKernel kernel() {
        return new ScalarKernel();
    }
}

package org.restorej.redset.internal.erasure;

class ScalarKernelTest extends ErasureKernelContract {
    @Override
    ErasureKernel kernel() {
        return new ScalarKernel();
    }
}

package org.restorej.redset.erasure;

class ScalarKernelTest extends ErasureKernelContract {
    @Override
    ErasureKernel kernel() {
        return new ScalarKernel();
    }
}

package org.restorej.bench.model;

/**
 * Collective calls of an operation, the same for any number of PEs.
 *
 * @param barriers of sparse all-to-alls
 * @param reductions of a few numbers each
 * @param agreements which all survivors reach whoever fails
 */
record Collectives(int barriers, int reductions, int agreements) {
    @Override
    public String toString() {
        return barriers + " + " + reductions + " + " + agreements;
    }
}

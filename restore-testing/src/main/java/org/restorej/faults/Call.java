package org.restorej.faults;

import org.restorej.comm.local.LocalCluster.FaultInjector.Operation;

/**
 * A communication call of one PE.
 *
 * @param pe original rank of the PE
 * @param number number of communication calls of the PE before this one
 * @param operation kind of the call
 */
public record Call(int pe, long number, Operation operation) {
    @Override
    public String toString() {
        return "call " + number + " (" + operation + ") of PE " + pe;
    }
}

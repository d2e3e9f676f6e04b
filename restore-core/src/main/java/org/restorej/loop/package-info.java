/**
 * Iterations that go back to the last generation when a process fails, and the data that they keep.
 *
 * <p>
 * Calls the store, balancers and serializers; knows no kind of data but {@code LoopData}. Rows and objects implement
 * that; applications call the loop.
 *
 * <p>
 * To change iterations, or how a loop goes back, start at {@code CheckpointProtocol}: calls and iterations;
 * {@code LoopGenerations} has when something is submitted, {@code Checkpoint} what, {@code LoopRecovery} the way back
 * and to other PEs. The proof is in docs/design.md.
 *
 * <p>
 * To change how often a checkpoint is made, start at {@code CheckpointInterval}, which has the rules, Daly's formula
 * among them; {@code LoopGenerations} follows them. To change what a loop keeps, start at {@code CheckpointData};
 * {@code KeptData} is one store's part, {@code LoopValue} a value; another kind of data is a {@code LoopData}, as
 * {@code rows.LocalRows}, {@code objects.LocalObjects} and {@code objects.LocalStreams}. To change the times of a
 * recovery, or after how many of them in vain a loop gives up, start at {@code LoopRecovery}, which measures the phases
 * of a {@code Recovery}; the store's part is {@code internal.operation.StoreState}.
 */
@NullMarked
package org.restorej.loop;

import org.jspecify.annotations.NullMarked;

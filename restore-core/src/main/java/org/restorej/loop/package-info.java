/**
 * Iterations that go back to the last generation when a process fails, and the data that they keep.
 *
 * <p>
 * For a change: {@code CheckpointProtocol} has calls and iterations, {@code LoopGenerations} what is submitted, {@code
 * LoopRecovery} the way back and to other PEs, {@code KeptData} one store's part; how often a checkpoint is made,
 * {@code CheckpointInterval} and {@code CheckpointSchedule} decide. Calls the store, balancers and serializers; knows no kind of
 * data but {@code LoopData}.
 */
@NullMarked
package org.restorej.loop;

import org.jspecify.annotations.NullMarked;

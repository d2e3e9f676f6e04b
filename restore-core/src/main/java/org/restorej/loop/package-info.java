/**
 * Iterations with checkpoints in memory, which roll back to the last generation when a PE fails, and the data that
 * they keep. Start at {@link org.restorej.loop.CheckpointLoop}.
 *
 * <p>
 * Calls the store, balancers and serializers. The only kind of data it knows is {@code LoopData}, which rows and
 * objects extend; applications call the loop.
 *
 * <p>
 * To change iterations or rollbacks, start at {@code CheckpointProtocol}: {@code LoopGenerations} decides when
 * something is submitted, {@code Checkpoint} what, and {@code LoopRecovery} rolls back and moves blocks. The
 * correctness argument is in docs/design.md.
 *
 * <p>
 * To change how often a checkpoint is made, start at {@code CheckpointInterval} with its rules and Daly's formula,
 * which {@code LoopGenerations} applies. To change what a loop keeps, start at {@code CheckpointData}; {@code LoopData}
 * is one store's part, {@code LoopValue} a value; another kind of data extends {@code LoopData}, as
 * {@code rows.LocalRows}, {@code objects.LocalObjects} and {@code objects.LocalStreams} do. To change the times of a
 * recovery, or after how many recoveries without a failure a loop gives up, start at {@code LoopRecovery}, which
 * measures the phases of a {@code Recovery}; the store's part is {@code internal.operation.StoreState}.
 */
@NullMarked
package org.restorej.loop;

import org.jspecify.annotations.NullMarked;

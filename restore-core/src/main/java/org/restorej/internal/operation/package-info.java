/**
 * The collective operations of a store. Each operation is a {@link CollectiveOperation}. {@link StoreState} is what
 * they change, {@link StoreLayout} what never changes. Arguments and results are plain values of {@code org.restorej}.
 * Calls the values of {@code report} and every package below; only the store and {@code internal.access} call this
 * package.
 *
 * <p>
 * To change a submit, of all blocks or of changes, start at {@code SubmitOperation}; {@code ClosedSubmission} has the
 * checks, {@code SubmissionRounds} the parts that are copied and sent at a time. To change a pull, start at
 * {@code ReadOperation}; a re-replication, at {@code ReplenishOperation}; the search for damage in all replicas, at
 * {@code ScrubOperation}.
 *
 * <p>
 * To change what happens with a damaged replica, start at {@code CollectiveOperation}: {@code afterAttempt}, until no
 * more damage is found, and {@code repeatsAfterDamage} of each operation. {@code internal.storage.CheckedMemory} and
 * {@code internal.storage.Checksum} find it.
 *
 * <p>
 * To change which spare PE gets which rank, start at {@code StoreRanks}; labels of failure domains, given or the names
 * of hosts, at {@code DomainLabels}; lost blocks that the application reads elsewhere, at {@code LostBlockReader};
 * classes loaded before the first recovery, at {@code RecoveryWarmup}; log and report, at {@code StoreMonitor}
 * (docs/watching.md).
 *
 * <p>
 * To add a collective operation, start at {@code CollectiveOperation}: extend it, with a planner in
 * {@code internal.plan}, a variation of {@code internal.transfer.Transfer}, a constant of
 * {@code report.StoreReport.Operation}, and a case in {@code crash.CrashScenario} of the tests.
 */
@NullMarked
package org.restorej.internal.operation;

import org.jspecify.annotations.NullMarked;

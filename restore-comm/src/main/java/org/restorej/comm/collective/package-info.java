/**
 * Collective operations that are implemented by messages, and so are the same on every transport: operations on arrays,
 * the sparse all-to-all, and reproducible sums of doubles.
 *
 * <p>
 * A reproducible sum is exact and is rounded once at the end, so it depends on the terms alone. The alternative, adding
 * in the order of a fixed tree over block ids, needs as many partial sums as a PE's blocks have runs, whose number
 * grows with every failure, and two collective calls to exchange them. An exact sum takes 568 bytes, needs one
 * reduction, knows nothing of blocks, and is more accurate. It costs some nanoseconds for each term.
 *
 * <p>
 * Uses {@code comm} and {@code internal.settlement}. Transports extend
 * {@link org.restorej.comm.collective.CollectiveCommunicator}.
 *
 * <p>
 * To add an operation of all transports, start at {@code CollectiveCommunicator} with a class like {@code Broadcast} or
 * {@code ArrayGather}, over messages ({@code MessageExchange}); its programs go into {@code ArrayPrograms} of the
 * tests, its failures into {@code faults.ArrayCrashTest}. To change how terms are added, start at
 * {@code LongAccumulator}; how sums of PEs are combined, at {@code ReproducibleSums}; the sparse all-to-all, at
 * {@code SparseAllToAll}.
 */
@NullMarked
package org.restorej.comm.collective;

import org.jspecify.annotations.NullMarked;

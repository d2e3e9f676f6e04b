/**
 * Collective operations above messages, which are the same on every transport: those on arrays, messages whose receivers
 * don't know their senders, and sums of doubles over all PEs that are the same to the last bit, however the terms are
 * spread.
 *
 * <p>
 * Such a sum is made without rounding and rounded once at its end, so it depends on the terms alone. The other way,
 * adding in the order of a fixed tree over block ids, needs as many partial sums as a PE's blocks have runs, which grow
 * in number with every failure, and two collective calls to exchange them; an exact sum is 568 bytes whatever happens,
 * goes through one reduction as the rounded sum did, knows nothing of blocks, and is the more accurate. It costs some
 * nanoseconds for each term.
 *
 * <p>
 * Calls {@code comm} and {@code internal.settlement}. Transports extend
 * {@link org.restorej.comm.collective.CollectiveCommunicator}.
 *
 * <p>
 * To add an operation of all transports, start at {@code CollectiveCommunicator} with a class as {@code Broadcast} or
 * {@code ArrayGather}, over messages ({@code MessageExchange}); its programs go into {@code ArrayPrograms} of the tests,
 * its failures into {@code faults.ArrayCrashTest}. To change how terms are added, start at {@code LongAccumulator}; how
 * PEs put their sums together, at {@code ReproducibleSums}; who learns who sends, at {@code SparseAllToAll}.
 */
@NullMarked
package org.restorej.comm.collective;

import org.jspecify.annotations.NullMarked;

/**
 * Values that a store reports: its state, the totals of its operations, and the probability that further failures lose
 * data. Start at {@link org.restorej.report.StoreReport}.
 *
 * <p>
 * Values only. A <em>loss</em> means that all replicas of some block are gone. Failures are of PEs, or of whole failure
 * domains, all sets of the same size being equally likely. Uses no other package; the store and
 * {@code internal.operation} create these values.
 *
 * <p>
 * To add a value to the report, start at {@code StoreReport}; {@code internal.operation.StoreMonitor} counts. To change
 * how a probability is given, start at {@code Probability}.
 */
@NullMarked
package org.restorej.report;

import org.jspecify.annotations.NullMarked;

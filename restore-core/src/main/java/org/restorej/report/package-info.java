/**
 * What a store reports of itself: its state, what it has done, and how likely further failures lose data, with how
 * well that is known.
 *
 * <p>
 * Values only. A <em>loss</em> means that all replicas of some block are gone, and failures are of PEs, or of whole
 * failure domains, all sets of the same size being equally likely. Calls no other package. The store and
 * {@code internal.operation} fill these values.
 *
 * <p>
 * To add a value to the report, start at {@code StoreReport}; {@code internal.operation.StoreMonitor} counts. To
 * change how a probability is given, start at {@code Probability}.
 */
@NullMarked
package org.restorej.report;

import org.jspecify.annotations.NullMarked;

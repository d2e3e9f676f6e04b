/**
 * How many failures a placement survives: exact probabilities, bounds where there is no exact answer, and a simulation
 * that knows no formula.
 *
 * <p>
 * Calls {@code placement} only; called by {@code StoreRisk} of the store, and by planners. Everywhere a <em>loss</em> means that all replicas of
 * some block range are gone, and failures strike PEs, or whole failure domains, all sets of the same size being equally
 * likely.
 */
@NullMarked
package org.restorej.risk;

import org.jspecify.annotations.NullMarked;

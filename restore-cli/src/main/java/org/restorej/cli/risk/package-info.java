/**
 * The risk of loss before a run by simulation, which knows no formula, but asks the placement.
 *
 * <p>
 * Everywhere a <em>loss</em> means that all replicas of some block range are gone, and failures are of PEs, or of whole
 * failure domains, all sets of the same size being equally likely. Calls the placement of the store. Called by
 * {@code plan} only.
 *
 * <p>
 * To change what is simulated, start at {@code LossSimulator}; the formulas are those of the store, in
 * {@code internal.risk}.
 */
@NullMarked
package org.restorej.cli.risk;

import org.jspecify.annotations.NullMarked;

/**
 * How many failures the data of a store survive: results only, each of which says how well it is known.
 *
 * <p>
 * Everywhere a <em>loss</em> means that all replicas of some block are gone, and failures are of PEs, or of whole
 * failure domains, all sets of the same size being equally likely. Calls no other package; {@code StoreRisk} of the
 * store returns these, and {@code restore-cli}, which plans runs by formulas of its own, too.
 */
@NullMarked
package org.restorej.risk;

import org.jspecify.annotations.NullMarked;

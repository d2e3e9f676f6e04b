/**
 * What a store says of itself: how it is, what it has done, and how likely further failures lose something, with how well
 * that is known.
 *
 * <p>
 * Values only. A <em>loss</em> means that all replicas of some block are gone, and failures are of PEs, or of whole failure
 * domains, all sets of the same size being equally likely. Calls no other package.
 */
@NullMarked
package org.restorej.report;

import org.jspecify.annotations.NullMarked;

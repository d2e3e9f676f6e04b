package org.restorej.redset.internal.protocol;

import org.restorej.redset.internal.coding.Place;

/**
 * A member on the way of a strand, and where its bytes are.
 *
 * @param rank rank in the set
 * @param place in its files
 */
public record Station(int rank, Place place) {}

package org.restorej;

/**
 * What a scrub has found, on all PEs together.
 *
 * @param checkedChunks number of replicas of permutation ranges, or of the parts that a range is cut into, that were
 *        checked
 * @param checkedBytes their bytes
 * @param damagedReplicas number of them whose bytes don't fit their checksum, those included that were known before
 */
public record ScrubResult(long checkedChunks, long checkedBytes, long damagedReplicas) {}

package org.restorej.redset.internal.protocol;

import org.restorej.redset.internal.coding.MemberExtent;

/**
 * A member of a chain, and which of its bytes take part.
 *
 * @param rank rank in the set
 * @param extent where its bytes are
 */
public record ChainMember(int rank, MemberExtent extent) {}

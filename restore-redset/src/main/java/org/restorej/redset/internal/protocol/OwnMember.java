package org.restorej.redset.internal.protocol;

import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.format.Descriptor;

/**
 * What is known of the own rank and its set when files are recovered.
 *
 * @param place of the rank
 * @param members of its set
 * @param found its redundancy file, or null when there is none that is sound
 */
record OwnMember(Descriptor place, SetMembers members, ProtectedFiles.@Nullable FoundHeader found) {
    /** Rank in the set. */
    int rank() {
        return members.rank();
    }
}

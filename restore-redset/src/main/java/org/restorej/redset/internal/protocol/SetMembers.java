package org.restorej.redset.internal.protocol;

import org.restorej.internal.erasure.ErasureKernel;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.coding.MemberBytes;
import org.restorej.redset.internal.coding.PieceLoop;
import org.restorej.redset.internal.coding.ReductionChain;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.restorej.comm.Request;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.redset.internal.format.KvTree;

/**
 * The processes of a redundancy set.
 *
 * @param rank own rank in the set
 * @param currentRanks ranks in the communicator, by rank in the set
 */
record SetMembers(int rank, List<Integer> currentRanks) {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfInt LENGTH = ValueLayout.JAVA_INT;
    private static final int USUAL_TAG = 1;
    private static final int REST_TAG = 2;
    /** A message that is sent at once, and holds what there is to say of a member with a few files. */
    private static final int USUAL_SLOT_BYTES = 2048;
    private static final int USUAL_BYTES = USUAL_SLOT_BYTES - Integer.BYTES;

    SetMembers {
        currentRanks = List.copyOf(currentRanks);
    }

    int size() {
        return currentRanks.size();
    }

    int currentRank(int member) {
        return currentRanks.get(member);
    }

    /** What computes chains of this set, each member by a process of its own. */
    PieceLoop pieceLoop(RedsetChannel channel, ErasureKernel kernel, List<ReductionChain> chains, MemberBytes own,
            long mostPieceBytes) {
        @Nullable
        MemberBytes[] bytes = new MemberBytes[size()];
        bytes[rank] = own;
        return new PieceLoop(channel, kernel, chains, currentRanks.stream().mapToInt(Integer::intValue).toArray(),
                channel.rank(), bytes, mostPieceBytes, written -> {});
    }

    /** The trees of every member, as {@link #gather(RedsetChannel, byte[])}; the empty one of who tells nothing. */
    List<KvTree> gather(RedsetChannel channel, KvTree mine) {
        return TreeMessages.decode(gather(channel, TreeMessages.encode(mine)));
    }

    /** The bytes of every member, by rank in the set. Called by all members in a step. */
    List<byte[]> gather(RedsetChannel channel, byte[] mine) {
        List<byte[]> contents = new ArrayList<>();
        MemorySegment usual = channel.memory((long) size() * USUAL_SLOT_BYTES);
        List<MemorySegment> slots = new ArrayList<>();
        for (int member = 0; member < size(); member++) {
            slots.add(usual.asSlice((long) member * USUAL_SLOT_BYTES, USUAL_SLOT_BYTES));
        }
        slots.get(rank).set(LENGTH, 0, mine.length);
        MemorySegment.copy(mine, 0, slots.get(rank), BYTE, LENGTH.byteSize(), Math.min(mine.length, USUAL_BYTES));
        exchange(channel, slots, USUAL_TAG);
        for (MemorySegment slot : slots) {
            byte[] content = new byte[slot.get(LENGTH, 0)];
            MemorySegment.copy(slot, BYTE, LENGTH.byteSize(), content, 0, Math.min(content.length, USUAL_BYTES));
            contents.add(content);
        }
        if (contents.stream().anyMatch(content -> content.length > USUAL_BYTES)) {
            gatherRests(channel, mine, contents);
        }
        return contents;
    }

    /** What of the contents didn't fit into the messages of usual length; may be long. */
    private void gatherRests(RedsetChannel channel, byte[] mine, List<byte[]> contents) {
        Arena arena = NativeMemory.openShared();
        try {
            List<MemorySegment> rests = contents.stream()
                    .map(content -> arena.allocate(Math.max(0, content.length - USUAL_BYTES))).toList();
            MemorySegment own = rests.get(rank);
            MemorySegment.copy(mine, mine.length - (int) own.byteSize(), own, BYTE, 0, (int) own.byteSize());
            exchange(channel, rests, REST_TAG);
            for (int member = 0; member < size(); member++) {
                int bytes = (int) rests.get(member).byteSize();
                MemorySegment.copy(rests.get(member), BYTE, 0, contents.get(member),
                        contents.get(member).length - bytes, bytes);
            }
        } finally {
            channel.retire(arena);
        }
    }

    /** Sends the own segment to all others, and receives theirs; nothing of those that are empty. */
    private void exchange(RedsetChannel channel, List<MemorySegment> segments, int tag) {
        List<Request> requests = new ArrayList<>();
        for (int distance = 1; distance < size(); distance++) {
            int left = Math.floorMod(rank - distance, size());
            if (segments.get(left).byteSize() > 0) {
                requests.add(channel.receive(segments.get(left), currentRank(left), tag));
            }
        }
        for (int distance = 1; distance < size() && segments.get(rank).byteSize() > 0; distance++) {
            requests.add(channel.send(segments.get(rank), currentRank((rank + distance) % size()), tag));
        }
        requests.forEach(channel::await);
    }
}

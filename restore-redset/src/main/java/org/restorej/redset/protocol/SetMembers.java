package org.restorej.redset.protocol;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.restorej.comm.Request;

/**
 * The processes of a redundancy set.
 *
 * @param rank own rank in the set
 * @param currentRanks ranks in the communicator, by rank in the set
 */
record SetMembers(int rank, List<Integer> currentRanks) {
    private static final int LENGTH_TAG = 1;
    private static final int BYTES_TAG = 2;

    SetMembers {
        currentRanks = List.copyOf(currentRanks);
    }

    int size() {
        return currentRanks.size();
    }

    int currentRank(int member) {
        return currentRanks.get(member);
    }

    /** The bytes of every member, by rank in the set. Called by all members in a part of a step. */
    List<byte[]> gather(RedsetChannel channel, byte[] mine) {
        Arena arena = Arena.ofShared();
        try {
            MemorySegment lengths = arena.allocate(ValueLayout.JAVA_LONG, size());
            lengths.setAtIndex(ValueLayout.JAVA_LONG, rank, mine.length);
            List<MemorySegment> slots = new ArrayList<>();
            for (int member = 0; member < size(); member++) {
                slots.add(lengths.asSlice((long) member * Long.BYTES, Long.BYTES));
            }
            exchange(channel, slots, LENGTH_TAG);
            List<MemorySegment> contents = new ArrayList<>();
            for (int member = 0; member < size(); member++) {
                contents.add(arena.allocate(lengths.getAtIndex(ValueLayout.JAVA_LONG, member)));
            }
            MemorySegment.copy(mine, 0, contents.get(rank), ValueLayout.JAVA_BYTE, 0, mine.length);
            exchange(channel, contents, BYTES_TAG);
            return contents.stream().map(content -> content.toArray(ValueLayout.JAVA_BYTE)).toList();
        } finally {
            channel.release(arena);
        }
    }

    /** Sends the own segment to all others, and receives theirs. */
    private void exchange(RedsetChannel channel, List<MemorySegment> segments, int tag) {
        List<Request> requests = new ArrayList<>();
        for (int distance = 1; distance < size(); distance++) {
            int left = Math.floorMod(rank - distance, size());
            requests.add(channel.receive(segments.get(left), currentRank(left), tag));
        }
        for (int distance = 1; distance < size(); distance++) {
            requests.add(channel.send(segments.get(rank), currentRank((rank + distance) % size()), tag));
        }
        requests.forEach(channel::await);
    }
}

package org.restorej.redset.internal.protocol;

import org.restorej.internal.erasure.ErasureKernel;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.coding.MemberBytes;
import org.restorej.redset.internal.coding.PieceLoop;
import org.restorej.redset.internal.coding.PieceMessages;
import org.restorej.redset.internal.coding.ReductionChain;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.restorej.comm.Request;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.KvTreeBlock;

/**
 * The members of a redundancy set, and the processes that act for them, each for one or several.
 *
 * @param worldRanks by rank in the set: the member's rank when the files were protected
 * @param owners by rank in the set: rank in the communicator of the process that acts for the member
 * @param process this process, which acts for some of them
 */
record SetMembers(List<Integer> worldRanks, List<Integer> owners, int process) {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfInt LENGTH = ValueLayout.JAVA_INT_UNALIGNED;
    private static final int TAG = 1;
    /** Enough for the description of a member with some 40 files. */
    private static final int USUAL_SLOT_BYTES = 16 << 10;

    SetMembers {
        worldRanks = List.copyOf(worldRanks);
        owners = List.copyOf(owners);
    }

    /** The members of a set for all of which one process acts. */
    static SetMembers ofOneProcess(List<Integer> worldRanks) {
        return new SetMembers(worldRanks, Collections.nCopies(worldRanks.size(), 0), 0);
    }

    int size() {
        return owners.size();
    }

    /** The processes without duplicates. */
    private List<Integer> processes() {
        return owners.stream().distinct().toList();
    }

    /**
     * Creates the loop that computes chains of this set.
     *
     * @param bytes by rank in the set: the files of the members that this process acts for
     * @param progress gets the number of bytes that were written or compared, piece by piece
     */
    PieceLoop pieceLoop(PieceMessages messages, Supplier<ErasureKernel> kernel, List<ReductionChain> chains,
            @Nullable MemberBytes[] bytes, long maxPieceBytes, LongConsumer progress) {
        return new PieceLoop(messages, kernel, chains, owners.stream().mapToInt(Integer::intValue).toArray(), process,
                bytes, maxPieceBytes, progress);
    }

    /**
     * Exchanges a message about every member. The result is by rank in the set; the empty tree if its process sent
     * none. Called by all processes of the set, in a step.
     *
     * @param mine by rank in the set, of the members that this process acts for
     */
    List<KvTree> gather(PieceMessages messages, Map<Integer, KvTree> mine) {
        List<Integer> processes = processes();
        List<KvTree> byMember = new ArrayList<>();
        if (processes.size() == 1) {
            // A message to this process itself may be longer than one to another.
            for (int member = 0; member < size(); member++) {
                byMember.add(mine.getOrDefault(member, KvTree.EMPTY));
            }
            return byMember;
        }
        KvTree.Builder ofMembers = KvTree.builder();
        mine.forEach((member, tree) -> ofMembers.put(member.toString(), tree));
        List<KvTree> told = KvTreeBlock.decodeMessages(gather(messages, KvTreeBlock.encodeMessage(ofMembers.build())));
        for (int member = 0; member < size(); member++) {
            KvTree ofMember = told.get(processes.indexOf(owners.get(member))).child(Integer.toString(member));
            byMember.add(ofMember == null ? KvTree.EMPTY : ofMember);
        }
        return byMember;
    }

    /**
     * Exchanges the bytes of every process, in the order of their first members. Called by all processes of the set, in
     * a step.
     */
    List<byte[]> gather(PieceMessages messages, byte[] mine) {
        List<Integer> processes = processes();
        if (processes.size() == 1) {
            return List.of(mine);
        }
        // Nearly always enough.
        int slot = USUAL_SLOT_BYTES;
        MemorySegment all = exchange(messages, processes, mine, slot);
        int longest = 0;
        for (int index = 0; index < processes.size(); index++) {
            longest = Math.max(longest, all.get(LENGTH, (long) index * slot));
        }
        if (longest > slot - Integer.BYTES) {
            slot = Math.addExact(longest, Integer.BYTES);
            all = exchange(messages, processes, mine, slot);
        }
        List<byte[]> contents = new ArrayList<>();
        for (long start = 0; start < all.byteSize(); start += slot) {
            contents.add(all.asSlice(start + Integer.BYTES, all.get(LENGTH, start)).toArray(BYTE));
        }
        // Frees what only long contents need.
        messages.memory(0);
        return contents;
    }

    /** Gathers the lengths of all contents, each followed by as many bytes as its slot holds. */
    private MemorySegment exchange(PieceMessages messages, List<Integer> processes, byte[] mine, int slot) {
        int own = processes.indexOf(process);
        MemorySegment all = messages.memory((long) processes.size() * slot);
        // No more than there is: MPI sends short messages without a handshake.
        int bytes = Math.min(mine.length, slot - Integer.BYTES);
        MemorySegment sent = all.asSlice((long) own * slot, Integer.BYTES + bytes);
        sent.set(LENGTH, 0, mine.length);
        MemorySegment.copy(mine, 0, sent, BYTE, Integer.BYTES, bytes);
        List<Request> requests = new ArrayList<>();
        for (int distance = 1; distance < processes.size(); distance++) {
            int left = Math.floorMod(own - distance, processes.size());
            requests.add(messages.receive(all.asSlice((long) left * slot, slot), processes.get(left), TAG));
        }
        for (int distance = 1; distance < processes.size(); distance++) {
            requests.add(messages.send(sent, processes.get((own + distance) % processes.size()), TAG));
        }
        requests.forEach(messages::await);
        return all;
    }
}

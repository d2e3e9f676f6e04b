package org.restorej.redset.internal.protocol;

import org.restorej.internal.erasure.ErasureKernel;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.coding.MemberBytes;
import org.restorej.redset.internal.coding.PieceLoop;
import org.restorej.redset.internal.coding.PieceMessages;
import org.restorej.redset.internal.coding.ReductionChain;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.restorej.comm.Request;
import org.restorej.internal.memory.NativeMemory;
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
    private static final ValueLayout.OfInt LENGTH = ValueLayout.JAVA_INT;
    private static final int USUAL_TAG = 1;
    private static final int REST_TAG = 2;
    /** A message of this size is sent at once, and is enough for the description of a member with a few files. */
    private static final int USUAL_SLOT_BYTES = 2048;
    private static final int USUAL_BYTES = USUAL_SLOT_BYTES - Integer.BYTES;

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
        List<byte[]> contents = new ArrayList<>();
        List<Integer> processes = processes();
        if (processes.size() == 1) {
            return List.of(mine);
        }
        MemorySegment usual = messages.memory((long) processes.size() * USUAL_SLOT_BYTES);
        List<MemorySegment> slots = new ArrayList<>();
        for (int index = 0; index < processes.size(); index++) {
            slots.add(usual.asSlice((long) index * USUAL_SLOT_BYTES, USUAL_SLOT_BYTES));
        }
        MemorySegment own = slots.get(processes.indexOf(process));
        own.set(LENGTH, 0, mine.length);
        MemorySegment.copy(mine, 0, own, BYTE, LENGTH.byteSize(), Math.min(mine.length, USUAL_BYTES));
        exchange(messages, processes, slots, USUAL_TAG);
        for (MemorySegment slot : slots) {
            byte[] content = new byte[slot.get(LENGTH, 0)];
            MemorySegment.copy(slot, BYTE, LENGTH.byteSize(), content, 0, Math.min(content.length, USUAL_BYTES));
            contents.add(content);
        }
        if (contents.stream().anyMatch(content -> content.length > USUAL_BYTES)) {
            gatherRests(messages, processes, mine, contents);
        }
        return contents;
    }

    /** Exchanges the rest of contents that don't fit into messages of the usual length. */
    private void gatherRests(PieceMessages messages, List<Integer> processes, byte[] mine, List<byte[]> contents) {
        Arena arena = NativeMemory.openShared();
        try {
            List<MemorySegment> rests = contents.stream()
                    .map(content -> arena.allocate(Math.max(0, content.length - USUAL_BYTES))).toList();
            MemorySegment own = rests.get(processes.indexOf(process));
            MemorySegment.copy(mine, mine.length - (int) own.byteSize(), own, BYTE, 0, (int) own.byteSize());
            exchange(messages, processes, rests, REST_TAG);
            for (int index = 0; index < rests.size(); index++) {
                int bytes = (int) rests.get(index).byteSize();
                MemorySegment.copy(rests.get(index), BYTE, 0, contents.get(index),
                        contents.get(index).length - bytes, bytes);
            }
        } finally {
            messages.retire(arena);
        }
    }

    /** Sends this process's segment to all others, and receives theirs. Empty segments are not sent. */
    private void exchange(PieceMessages messages, List<Integer> processes, List<MemorySegment> segments, int tag) {
        int own = processes.indexOf(process);
        List<Request> requests = new ArrayList<>();
        for (int distance = 1; distance < processes.size(); distance++) {
            int left = Math.floorMod(own - distance, processes.size());
            if (segments.get(left).byteSize() > 0) {
                requests.add(messages.receive(segments.get(left), processes.get(left), tag));
            }
        }
        for (int distance = 1; distance < processes.size() && segments.get(own).byteSize() > 0; distance++) {
            requests.add(messages.send(segments.get(own), processes.get((own + distance) % processes.size()), tag));
        }
        requests.forEach(messages::await);
    }
}

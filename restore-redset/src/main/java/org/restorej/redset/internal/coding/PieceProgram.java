package org.restorej.redset.internal.coding;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one process does with a wave, which is one piece of every chain: instructions in flat arrays, which
 * {@link PieceLoop} runs for one wave after the other. A process acts for the members that it owns: all of them, some,
 * or one. What goes from one of its members to another stays in its slot; all else is a message.
 *
 * <p>
 * A slot holds one piece. Cells are read and received while those of the wave before are computed, and results of other
 * processes are received while two more waves begin, so there are two and three slots for these. Chains that are all of
 * this process use the same slots one after the other. Memory follows from slots and piece length, and has a bound.
 */
final class PieceProgram {
    /** Begins to receive a cell or a result. */
    static final int RECEIVE = 0;
    /** Reads a cell. */
    static final int READ = 1;
    /** Begins to send a cell, a copy or a result. */
    static final int SEND = 2;
    /** Computes the results of a chain. */
    static final int COMPUTE = 3;
    /** Writes a result. */
    static final int WRITE = 4;
    /** Compares a result with what is there. */
    static final int COMPARE = 5;

    /** All slots of a process together: the second-level cache of a core, about. */
    static final long MAX_BYTES = 2 << 20;
    private static final long PAGE_BYTES = 4096;
    private static final long ALIGNMENT = 64;
    private static final int CELL_WAVES = 2;
    private static final int RESULT_WAVES = 3;
    private static final int RECEIVING = 0;
    private static final int READING = 1;
    private static final int REDUCING = 2;
    private static final int TAKING = 3;
    private static final int PHASES = 4;
    private static final int INITIAL_INSTRUCTIONS = 64;

    private final List<ReductionChain> chains;
    private final int[] owners;
    private final int process;
    private final @Nullable MemberBytes[] members;
    private final long pieceBytes;
    private final long waves;
    private final int[] phases = new int[PHASES + 1];
    /** By chain: the first slot of its cells, or of its results where another process computes. */
    private final int[] firstSlots;
    private int[] operations = new int[INITIAL_INSTRUCTIONS];
    private int[] chainOf = new int[INITIAL_INSTRUCTIONS];
    private int[] slots = new int[INITIAL_INSTRUCTIONS];
    private int[] depths = new int[INITIAL_INSTRUCTIONS];
    private int[] peers = new int[INITIAL_INSTRUCTIONS];
    private @Nullable ExtentCursor[] cursors = new ExtentCursor[INITIAL_INSTRUCTIONS];
    private int instructions;
    private int cellSlots;
    private int resultSlots;
    private int ownSlots;

    /**
     * Compiles.
     *
     * @param chains of a set, the same in all of its processes
     * @param owners by rank in the set: the process that acts for the member
     * @param process this one
     * @param members by rank in the set: the files of the members that this process owns
     * @param mostPieceBytes greatest length of a piece, the same in all processes
     */
    PieceProgram(List<ReductionChain> chains, int[] owners, int process, @Nullable MemberBytes[] members,
            long mostPieceBytes) {
        this.chains = chains;
        this.owners = owners;
        this.process = process;
        this.members = members;
        firstSlots = new int[chains.size()];
        long longest = 0;
        for (ReductionChain chain : chains) {
            longest = Math.max(longest, chain.bytes());
        }
        pieceBytes = Math.min(Math.min(mostPieceBytes, share(chains, owners)), Math.max(1, longest));
        waves = Math.ceilDiv(longest, pieceBytes);
        // Begins after the own chain, so that not all processes send to the same one at the same time.
        int first = firstOwn() + 1;
        for (int phase = 0; phase < PHASES; phase++) {
            phases[phase] = instructions;
            for (int i = 0; i < chains.size(); i++) {
                compile(phase, (first + i) % chains.size());
            }
        }
        phases[PHASES] = instructions;
    }

    private int firstOwn() {
        int chain = 0;
        while (chain < chains.size() - 1 && owners[chains.get(chain).reducer()] != process) {
            chain++;
        }
        return chain;
    }

    /** The longest piece that all processes have memory for: each counts the slots of all. */
    private static long share(List<ReductionChain> chains, int[] owners) {
        int processes = Arrays.stream(owners).max().orElse(0) + 1;
        int[] shared = new int[processes];
        int[] own = new int[processes];
        for (ReductionChain chain : chains) {
            int reducer = owners[chain.reducer()];
            if (isOfOneProcess(chain, owners)) {
                own[reducer] = Math.max(own[reducer], slotsOf(chain));
                continue;
            }
            shared[reducer] += CELL_WAVES * slotsOf(chain);
            for (ReductionChain.Member source : chain.sources()) {
                shared[owners[source.rank()]] += owners[source.rank()] == reducer ? 0 : CELL_WAVES;
            }
            for (ReductionChain.Member target : chain.targets()) {
                shared[owners[target.rank()]] += owners[target.rank()] == reducer ? 0 : RESULT_WAVES;
            }
        }
        long most = 1;
        for (int each = 0; each < processes; each++) {
            // One more for what is compared.
            most = Math.max(most, shared[each] + own[each] + 1L);
        }
        long bytes = MAX_BYTES / most;
        return Math.max(ALIGNMENT, bytes & -(bytes >= PAGE_BYTES ? PAGE_BYTES : ALIGNMENT));
    }

    private static boolean isOfOneProcess(ReductionChain chain, int[] owners) {
        boolean one = true;
        for (ReductionChain.Member source : chain.sources()) {
            one &= owners[source.rank()] == owners[chain.reducer()];
        }
        for (ReductionChain.Member target : chain.targets()) {
            one &= owners[target.rank()] == owners[chain.reducer()];
        }
        return one;
    }

    /** Slots at the reducer: one for each cell and each result; a copy is both. */
    private static int slotsOf(ReductionChain chain) {
        return chain.sources().size() + (chain.matrix() == null ? 0 : chain.targets().size());
    }

    private void compile(int phase, int number) {
        ReductionChain chain = chains.get(number);
        if (isOfOneProcess(chain, owners)) {
            if (owners[chain.reducer()] == process && phase == REDUCING) {
                ownSlots = Math.max(ownSlots, slotsOf(chain));
                read(number, 1);
                reduce(number, 1);
            }
        } else if (owners[chain.reducer()] == process) {
            switch (phase) {
                case RECEIVING -> receiveCells(number);
                case READING -> readCells(number);
                case REDUCING -> reduce(number, CELL_WAVES);
                default -> {
                }
            }
        } else {
            switch (phase) {
                case RECEIVING -> receiveResults(number);
                case READING -> sendCells(number);
                case TAKING -> takeResults(number);
                default -> {
                }
            }
        }
    }

    private void receiveCells(int number) {
        ReductionChain chain = chains.get(number);
        firstSlots[number] = cellSlots;
        cellSlots += slotsOf(chain);
        for (int source = 0; source < chain.sources().size(); source++) {
            int owner = owners[chain.sources().get(source).rank()];
            if (owner != process) {
                add(RECEIVE, number, firstSlots[number] + source, CELL_WAVES, owner, null);
            }
        }
    }

    private void readCells(int number) {
        ReductionChain chain = chains.get(number);
        read(number, CELL_WAVES);
        for (ReductionChain.Member target : chain.targets()) {
            if (chain.matrix() == null && owners[target.rank()] != process) {
                add(SEND, number, firstSlots[number], CELL_WAVES, owners[target.rank()], null);
            }
        }
    }

    private void read(int number, int depth) {
        List<ReductionChain.Member> sources = chains.get(number).sources();
        for (int source = 0; source < sources.size(); source++) {
            if (owners[sources.get(source).rank()] == process) {
                add(READ, number, firstSlots[number] + source, depth, process, cursor(sources.get(source)));
            }
        }
    }

    private void reduce(int number, int depth) {
        ReductionChain chain = chains.get(number);
        int cells = firstSlots[number];
        if (chain.matrix() != null) {
            add(COMPUTE, number, cells, depth, process, null);
        }
        for (int i = 0; i < chain.targets().size(); i++) {
            ReductionChain.Member target = chain.targets().get(i);
            int slot = chain.matrix() == null ? cells : cells + chain.sources().size() + i;
            if (owners[target.rank()] == process) {
                take(number, target, slot, depth);
            } else if (chain.matrix() != null) {
                add(SEND, number, slot, depth, owners[target.rank()], null);
            }
        }
    }

    private void sendCells(int number) {
        ReductionChain chain = chains.get(number);
        for (ReductionChain.Member source : chain.sources()) {
            if (owners[source.rank()] == process) {
                add(READ, number, cellSlots, CELL_WAVES, process, cursor(source));
                add(SEND, number, cellSlots, CELL_WAVES, owners[chain.reducer()], null);
                cellSlots++;
            }
        }
    }

    private void receiveResults(int number) {
        ReductionChain chain = chains.get(number);
        firstSlots[number] = resultSlots;
        for (ReductionChain.Member target : chain.targets()) {
            if (owners[target.rank()] == process) {
                add(RECEIVE, number, resultSlots, RESULT_WAVES, owners[chain.reducer()], null);
                resultSlots++;
            }
        }
    }

    private void takeResults(int number) {
        int slot = firstSlots[number];
        for (ReductionChain.Member target : chains.get(number).targets()) {
            if (owners[target.rank()] == process) {
                take(number, target, slot, RESULT_WAVES);
                slot++;
            }
        }
    }

    private void take(int number, ReductionChain.Member target, int slot, int depth) {
        boolean written = Objects.requireNonNull(members[target.rank()]).isWritten(target.extent());
        add(written ? WRITE : COMPARE, number, slot, depth, process, cursor(target));
    }

    private ExtentCursor cursor(ReductionChain.Member member) {
        return new ExtentCursor(Objects.requireNonNull(members[member.rank()]), member.extent());
    }

    private void add(int operation, int chain, int slot, int depth, int peer, @Nullable ExtentCursor cursor) {
        if (instructions == operations.length) {
            int more = 2 * instructions;
            operations = Arrays.copyOf(operations, more);
            chainOf = Arrays.copyOf(chainOf, more);
            slots = Arrays.copyOf(slots, more);
            depths = Arrays.copyOf(depths, more);
            peers = Arrays.copyOf(peers, more);
            cursors = Arrays.copyOf(cursors, more);
        }
        operations[instructions] = operation;
        chainOf[instructions] = chain;
        slots[instructions] = slot;
        depths[instructions] = depth;
        peers[instructions] = peer;
        cursors[instructions] = cursor;
        instructions++;
    }

    long pieceBytes() {
        return pieceBytes;
    }

    /** Pieces of the longest chain. */
    long waves() {
        return waves;
    }

    /** Number of instructions of a wave. */
    int instructions() {
        return instructions;
    }

    /** Where the instructions begin that compute; those before begin a wave. */
    int reducing() {
        return phases[REDUCING];
    }

    /** Where the instructions begin that take results of others. */
    int taking() {
        return phases[TAKING];
    }

    int operation(int instruction) {
        return operations[instruction];
    }

    ReductionChain chain(int instruction) {
        return chains.get(chainOf[instruction]);
    }

    /** The process that a message comes from or goes to. */
    int peer(int instruction) {
        return peers[instruction];
    }

    boolean hasCursor(int instruction) {
        return cursors[instruction] != null;
    }

    ExtentCursor cursor(int instruction) {
        return Objects.requireNonNull(cursors[instruction]);
    }

    /** The slots of all waves that are under way, and one for what is compared, which is the last. */
    int slots() {
        return CELL_WAVES * cellSlots + RESULT_WAVES * resultSlots + ownSlots + 1;
    }

    /** How many waves have slots of their own for an instruction. */
    int depth(int instruction) {
        return depths[instruction];
    }

    /** The slot of an instruction in a wave. */
    int slot(int instruction, long wave) {
        int slot = slots[instruction];
        return switch (depths[instruction]) {
            case CELL_WAVES -> (int) (wave % CELL_WAVES) * cellSlots + slot;
            case RESULT_WAVES -> CELL_WAVES * cellSlots + (int) (wave % RESULT_WAVES) * resultSlots + slot;
            default -> CELL_WAVES * cellSlots + RESULT_WAVES * resultSlots + slot;
        };
    }
}

package org.restorej.redset.internal.coding;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the chains of a set into the program of one process. A process acts for the members that it owns: all, some,
 * or one. Data between two of its own members stays in a slot; all other data is sent in messages. Memory is the number
 * of slots times the length of a piece, at most {@link #MAX_BYTES} for any number of ranks and any file sizes.
 */
final class PieceCompiler {
    /**
     * Maximum bytes of all slots of a process. With a quarter, which fits into the second-level cache of a core, there
     * are four times as many messages, system calls and calls of the kernel, each with a few microseconds of its own:
     * 4 or 8 processes on two cores take a seventh more CPU time, although copying takes less.
     */
    static final long MAX_BYTES = 8 << 20;
    private static final long PAGE_BYTES = 4096;
    private static final long ALIGNMENT = 64;
    /** Phases of a wave. Each is compiled for all chains before the next. */
    private static final int RECEIVING = 0;
    private static final int READING = 1;
    private static final int REDUCING = 2;
    private static final int TAKING = 3;

    private final List<ReductionChain> chains;
    private final int[] owners;
    private final int process;
    private final @Nullable MemberBytes[] members;
    private final PieceProgram program;
    /** By chain: the first slot of its cells, or of its results if another process computes them. */
    private final int[] firstSlots;
    private int cellSlots;
    private int resultSlots;
    private int ownSlots;

    private PieceCompiler(List<ReductionChain> chains, int[] owners, int process, @Nullable MemberBytes[] members,
            long pieceBytes) {
        this.chains = chains;
        this.owners = owners;
        this.process = process;
        this.members = members;
        program = new PieceProgram(chains, pieceBytes);
        firstSlots = new int[chains.size()];
    }

    /**
     * Compiles the program.
     *
     * @param chains of a set, the same in all of its processes
     * @param owners by rank in the set: the process that acts for the member
     * @param process this process
     * @param members by rank in the set: the files of the members that this process owns
     * @param maxPieceBytes maximum length of a piece, the same in all processes
     */
    static PieceProgram compile(List<ReductionChain> chains, int[] owners, int process,
            @Nullable MemberBytes[] members, long maxPieceBytes) {
        long longest = 1;
        for (ReductionChain chain : chains) {
            longest = Math.max(longest, chain.bytes());
        }
        long pieceBytes = Math.min(Math.min(maxPieceBytes, share(chains, owners)), longest);
        return new PieceCompiler(chains, owners, process, members, pieceBytes).compile();
    }

    private PieceProgram compile() {
        compile(RECEIVING);
        compile(READING);
        program.beginReducing();
        compile(REDUCING);
        program.beginTaking();
        compile(TAKING);
        program.setSlots(cellSlots, resultSlots, ownSlots);
        return program;
    }

    private void compile(int phase) {
        // Begins after the own chain, so that processes begin with different peers.
        int first = firstOwn() + 1;
        for (int i = 0; i < chains.size(); i++) {
            compile(phase, (first + i) % chains.size());
        }
    }

    private int firstOwn() {
        int chain = 0;
        while (chain < chains.size() - 1 && owners[chains.get(chain).reducer()] != process) {
            chain++;
        }
        return chain;
    }

    /** Maximum length of a piece for which every process has memory. Each process counts the slots of all. */
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
            shared[reducer] += PieceProgram.CELL_WAVES * slotsOf(chain);
            for (ReductionChain.Member source : chain.sources()) {
                shared[owners[source.rank()]] += owners[source.rank()] == reducer ? 0 : PieceProgram.CELL_WAVES;
            }
            for (ReductionChain.Member target : chain.targets()) {
                shared[owners[target.rank()]] += owners[target.rank()] == reducer ? 0 : PieceProgram.RESULT_WAVES;
            }
        }
        long maxSlots = 1;
        for (int each = 0; each < processes; each++) {
            // One more for the data to compare with.
            maxSlots = Math.max(maxSlots, shared[each] + own[each] + 1L);
        }
        long bytes = MAX_BYTES / maxSlots;
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

    /** Slots at the reducer: one for each cell and each result. A copy is both. */
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
                case REDUCING -> reduce(number, PieceProgram.CELL_WAVES);
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
                program.add(PieceProgram.RECEIVE, number, firstSlots[number] + source, PieceProgram.CELL_WAVES, owner,
                        null);
            }
        }
    }

    private void readCells(int number) {
        ReductionChain chain = chains.get(number);
        read(number, PieceProgram.CELL_WAVES);
        for (ReductionChain.Member target : chain.targets()) {
            if (chain.matrix() == null && owners[target.rank()] != process) {
                program.add(PieceProgram.SEND, number, firstSlots[number], PieceProgram.CELL_WAVES,
                        owners[target.rank()], null);
            }
        }
    }

    private void read(int number, int depth) {
        List<ReductionChain.Member> sources = chains.get(number).sources();
        for (int source = 0; source < sources.size(); source++) {
            if (owners[sources.get(source).rank()] == process) {
                program.add(PieceProgram.READ, number, firstSlots[number] + source, depth, process,
                        cursor(sources.get(source)));
            }
        }
    }

    private void reduce(int number, int depth) {
        ReductionChain chain = chains.get(number);
        int cells = firstSlots[number];
        if (chain.matrix() != null) {
            program.add(PieceProgram.COMPUTE, number, cells, depth, process, null);
        }
        for (int i = 0; i < chain.targets().size(); i++) {
            ReductionChain.Member target = chain.targets().get(i);
            int slot = chain.matrix() == null ? cells : cells + chain.sources().size() + i;
            if (owners[target.rank()] == process) {
                take(number, target, slot, depth);
            } else if (chain.matrix() != null) {
                program.add(PieceProgram.SEND, number, slot, depth, owners[target.rank()], null);
            }
        }
    }

    private void sendCells(int number) {
        ReductionChain chain = chains.get(number);
        for (ReductionChain.Member source : chain.sources()) {
            if (owners[source.rank()] == process) {
                program.add(PieceProgram.READ, number, cellSlots, PieceProgram.CELL_WAVES, process, cursor(source));
                program.add(PieceProgram.SEND, number, cellSlots, PieceProgram.CELL_WAVES, owners[chain.reducer()],
                        null);
                cellSlots++;
            }
        }
    }

    private void receiveResults(int number) {
        ReductionChain chain = chains.get(number);
        firstSlots[number] = resultSlots;
        for (ReductionChain.Member target : chain.targets()) {
            if (owners[target.rank()] == process) {
                program.add(PieceProgram.RECEIVE, number, resultSlots, PieceProgram.RESULT_WAVES,
                        owners[chain.reducer()], null);
                resultSlots++;
            }
        }
    }

    private void takeResults(int number) {
        int slot = firstSlots[number];
        for (ReductionChain.Member target : chains.get(number).targets()) {
            if (owners[target.rank()] == process) {
                take(number, target, slot, PieceProgram.RESULT_WAVES);
                slot++;
            }
        }
    }

    private void take(int number, ReductionChain.Member target, int slot, int depth) {
        boolean written = Objects.requireNonNull(members[target.rank()]).isWritten(target.extent());
        program.add(written ? PieceProgram.WRITE : PieceProgram.COMPARE, number, slot, depth, process, cursor(target));
    }

    private ExtentCursor cursor(ReductionChain.Member member) {
        return new ExtentCursor(Objects.requireNonNull(members[member.rank()]), member.extent());
    }
}

package org.restorej.redset.internal.coding;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The instructions of one process for a wave, in flat arrays. A wave is one piece of every chain. {@link PieceLoop}
 * runs the instructions for one wave after the other; {@link PieceCompiler} creates them.
 *
 * <p>
 * A slot holds one piece. Cells are read and received while those of the previous wave are computed, so they have two
 * slots. Results of other processes are received while two more waves begin, so they have three. Chains of which this
 * process owns all members use the same slots one after the other.
 */
final class PieceProgram {
    /** Starts receiving a cell or a result. */
    static final int RECEIVE = 0;
    /** Reads a cell. */
    static final int READ = 1;
    /** Starts sending a cell, a copy or a result. */
    static final int SEND = 2;
    /** Computes the results of a chain. */
    static final int COMPUTE = 3;
    /** Writes a result. */
    static final int WRITE = 4;
    /** Compares a result with the existing bytes. */
    static final int COMPARE = 5;

    /** Number of waves that have cells, and results of other processes, at a time. */
    static final int CELL_WAVES = 2;
    static final int RESULT_WAVES = 3;
    private static final int INITIAL_INSTRUCTIONS = 64;
    /** Numbers of an instruction: its operation, chain, slot, depth and peer. */
    private static final int FIELDS = 5;
    private static final int CHAIN = 1;
    private static final int SLOT = 2;
    private static final int DEPTH = 3;
    private static final int PEER = 4;

    private final List<ReductionChain> chains;
    private final long pieceBytes;
    private final long waves;
    private int[] code = new int[FIELDS * INITIAL_INSTRUCTIONS];
    private @Nullable ExtentCursor[] cursors = new ExtentCursor[INITIAL_INSTRUCTIONS];
    private int instructions;
    private int reducing;
    private int taking;
    private int cellSlots;
    private int resultSlots;
    private int ownSlots;

    /**
     * Creates a program without instructions.
     *
     * @param chains of a set
     * @param pieceBytes length of a piece; the last one of a chain may be shorter
     */
    PieceProgram(List<ReductionChain> chains, long pieceBytes) {
        this.chains = chains;
        this.pieceBytes = pieceBytes;
        long longest = 0;
        for (ReductionChain chain : chains) {
            longest = Math.max(longest, chain.bytes());
        }
        waves = Math.ceilDiv(longest, pieceBytes);
    }

    /**
     * Adds an instruction.
     *
     * @param slot index among the slots of cells, of results of other processes, or of chains of this process alone
     * @param depth number of waves that have their own slots for it; determines the kind of slot
     */
    void add(int operation, int chain, int slot, int depth, int peer, @Nullable ExtentCursor cursor) {
        if (instructions == cursors.length) {
            cursors = Arrays.copyOf(cursors, 2 * instructions);
            code = Arrays.copyOf(code, FIELDS * cursors.length);
        }
        int[] fields = {operation, chain, slot, depth, peer};
        System.arraycopy(fields, 0, code, FIELDS * instructions, FIELDS);
        cursors[instructions] = cursor;
        instructions++;
    }

    /** Marks the beginning of the instructions that compute. Those before begin a wave. */
    void beginReducing() {
        reducing = instructions;
    }

    /** Marks the beginning of the instructions that take results of other processes. */
    void beginTaking() {
        taking = instructions;
    }

    /** Sets the slots of a wave: for cells, for results of other processes, and for chains of this process alone. */
    void setSlots(int ofCells, int ofResults, int own) {
        cellSlots = ofCells;
        resultSlots = ofResults;
        ownSlots = own;
    }

    long pieceBytes() {
        return pieceBytes;
    }

    /** Number of pieces of the longest chain. */
    long waves() {
        return waves;
    }

    /** Number of instructions of a wave. */
    int instructions() {
        return instructions;
    }

    /** Index of the first instruction that computes; those before begin a wave. */
    int reducing() {
        return reducing;
    }

    /** Index of the first instruction that takes results of other processes. */
    int taking() {
        return taking;
    }

    int operation(int instruction) {
        return code[FIELDS * instruction];
    }

    ReductionChain chain(int instruction) {
        return chains.get(code[FIELDS * instruction + CHAIN]);
    }

    /** The process to or from which a message goes. */
    int peer(int instruction) {
        return code[FIELDS * instruction + PEER];
    }

    boolean hasCursor(int instruction) {
        return cursors[instruction] != null;
    }

    ExtentCursor cursor(int instruction) {
        return Objects.requireNonNull(cursors[instruction]);
    }

    /** Number of slots of all waves in progress, and one more, the last, for data to compare with. */
    int slots() {
        return CELL_WAVES * cellSlots + RESULT_WAVES * resultSlots + ownSlots + 1;
    }

    /** Number of waves that have their own slots for an instruction. */
    int depth(int instruction) {
        return code[FIELDS * instruction + DEPTH];
    }

    /** The slot of an instruction in a wave. */
    int slot(int instruction, long wave) {
        int slot = code[FIELDS * instruction + SLOT];
        return switch (depth(instruction)) {
            case CELL_WAVES -> (int) (wave % CELL_WAVES) * cellSlots + slot;
            case RESULT_WAVES -> CELL_WAVES * cellSlots + (int) (wave % RESULT_WAVES) * resultSlots + slot;
            default -> CELL_WAVES * cellSlots + RESULT_WAVES * resultSlots + slot;
        };
    }
}

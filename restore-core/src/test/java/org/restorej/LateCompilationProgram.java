package org.restorej;

import org.restorej.block.BlockRange;

/** Calls a method of the library and one of its own so often that the JDK's thresholds have both compiled. */
public final class LateCompilationProgram {
    private static final int CALLS = 1000;

    private LateCompilationProgram() {}

    private static boolean contains(BlockRange blocks, long blockId) {
        return blockId >= blocks.first() && blockId - blocks.first() < blocks.count();
    }

    /** Calls both, and ends. */
    public static void main(String[] args) {
        BlockRange blocks = new BlockRange(3, 5);
        int alike = 0;
        for (int call = 0; call < CALLS; call++) {
            if (blocks.contains(call) == contains(blocks, call)) {
                alike++;
            }
        }
        for (String argument : ProcessHandle.current().info().arguments().orElseThrow()) {
            System.out.println("option " + argument);
        }
        System.out.println("alike " + alike);
    }
}

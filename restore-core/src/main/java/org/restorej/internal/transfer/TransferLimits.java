package org.restorej.internal.transfer;

import org.restorej.comm.Communicator;

/**
 * How runs of bytes are split into messages. Both sides must use the same values.
 *
 * @param directBytes minimum length of runs that are sent as messages of their own, directly from memory to memory;
 *        shorter ones are packed into frames
 * @param messageBytes maximum length of a message of a direct run
 * @param frameBytes length of a frame, at least {@code directBytes}
 * @param frames maximum number of pending frames of a sender; with {@code frameBytes} the bound of its buffers
 * @param window maximum number of pending direct messages between two PEs in one direction
 */
record TransferLimits(long directBytes, long messageBytes, int frameBytes, int frames, int window) {
    /**
     * Direct from 64 KiB: on two cores, pieces of 256 KiB move at the speed of big buffers, and pieces of 64 KiB take
     * up to 1.7 times as long; shorter ones are packed. 16 frames of 1 MiB and one for receiving are well below the
     * limit of 64 MiB for buffers.
     */
    static final TransferLimits DEFAULT = new TransferLimits(64 << 10, Communicator.MAX_MESSAGE_BYTES, 1 << 20, 16, 64);

    private static final long MIN_BUFFER_BYTES = 1 << 12;

    TransferLimits {
        if (directBytes > frameBytes) {
            throw new IllegalArgumentException("directBytes must be at most frameBytes: directBytes=" + directBytes
                    + ", frameBytes=" + frameBytes);
        }
    }

    /**
     * Length of the memory for a frame that is not full: a power of two or a full frame, so that replaced memory is at
     * most as much as the final one.
     *
     * @param bytes content of the frame, at most {@code frameBytes}
     */
    long bufferBytes(long bytes) {
        return Math.min(frameBytes, Math.max(MIN_BUFFER_BYTES, Long.highestOneBit(2 * bytes - 1)));
    }
}

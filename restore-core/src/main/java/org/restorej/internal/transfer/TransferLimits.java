package org.restorej.internal.transfer;

import org.restorej.comm.Communicator;

/**
 * How runs of bytes become messages. Both ends must use the same values.
 *
 * @param directBytes runs at least this long travel as messages of their own, straight from memory to memory; shorter
 *        ones are packed into frames
 * @param messageBytes longest message of a direct run
 * @param frameBytes length of a frame, at least {@code directBytes}
 * @param frames frames of a sender that may be under way at once: with {@code frameBytes} the bound of its buffers
 * @param window direct messages under way at once between two PEs in one direction
 */
record TransferLimits(long directBytes, long messageBytes, int frameBytes, int frames, int window) {
    /**
     * Direct from 64 KiB: pieces of 256 KiB were measured to move at the speed of big buffers on two cores, pieces of
     * 64 KiB to take up to 1.7 times as long; what is shorter is packed. 16 frames of 1 MiB and one for receiving stay
     * well below the 64 MiB that buffers may take.
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
     * Length of the memory for a frame that is not full: a power of two or that of a full frame, so that what grows
     * leaves behind no more than it is.
     *
     * @param bytes what the frame is to hold, at most {@code frameBytes}
     */
    long bufferBytes(long bytes) {
        return Math.min(frameBytes, Math.max(MIN_BUFFER_BYTES, Long.highestOneBit(2 * bytes - 1)));
    }
}

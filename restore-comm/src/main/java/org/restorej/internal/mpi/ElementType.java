package org.restorej.internal.mpi;

/** What MPI reduces, in the byte order of the machine. */
public enum ElementType {
    /** 8 bytes; C's long has as many on all platforms of the library. */
    LONG(Long.BYTES),
    /** 8 bytes. */
    DOUBLE(Double.BYTES);

    private final int bytes;

    ElementType(int bytes) {
        this.bytes = bytes;
    }

    /** Bytes of an element. */
    public int bytes() {
        return bytes;
    }
}

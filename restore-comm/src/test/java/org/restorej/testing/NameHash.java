package org.restorej.testing;

/** A hash of a name that is the same in every JVM, and whose lowest bits are as good as its others. */
final class NameHash {
    private NameHash() {}

    /** The hash of a name; with another seed as good as always another number. */
    static long of(String name, long seed) {
        long hash = mixed(seed);
        for (int i = 0; i < name.length(); i++) {
            hash = mixed(hash + name.charAt(i));
        }
        return hash;
    }

    /** A step of SplittableRandom (Steele, Lea and Flood 2014), a bijection. */
    private static long mixed(long value) {
        long z = value + 0x9e3779b97f4a7c15L;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}

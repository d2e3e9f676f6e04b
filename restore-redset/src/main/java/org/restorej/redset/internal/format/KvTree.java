package org.restorej.redset.internal.format;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A tree of keys, in which redset keeps its metadata. A value is a key with an empty tree. Immutable.
 *
 * <p>
 * Keys are bytes. Each byte is one char of a string ({@code 0 .. 255}), so that every key can be stored and strings
 * sort as their bytes do.
 */
public final class KvTree {
    /** The tree without keys. */
    public static final KvTree EMPTY = new KvTree(new String[0], new KvTree[0]);

    /** Upper bound, exclusive, of the bytes of a key. */
    public static final int KEY_BYTES_LIMIT = 1024;

    private final String[] keys;
    private final KvTree[] children;

    private KvTree(String[] keys, KvTree[] children) {
        this.keys = keys;
        this.children = children;
    }

    /** A tree of one key, which is a value. */
    public static KvTree value(String value) {
        requireKey(value);
        return new KvTree(new String[]{value}, new KvTree[]{EMPTY});
    }

    /** A tree of one key, which is a number in decimal digits. */
    static KvTree value(long number) {
        return new KvTree(new String[]{Long.toString(number)}, new KvTree[]{EMPTY});
    }

    public static Builder builder() {
        return new Builder();
    }

    private static void requireKey(String key) {
        if (key.length() >= KEY_BYTES_LIMIT) {
            throw new IllegalArgumentException(
                    "keys must be shorter than " + KEY_BYTES_LIMIT + " bytes: key.length=" + key.length());
        }
        for (int i = 0; i < key.length(); i++) {
            if (key.charAt(i) == 0 || key.charAt(i) > 0xFF) {
                throw new IllegalArgumentException("keys must be non-zero bytes: key=" + key);
            }
        }
    }

    /** A tree of keys in ascending order. Doesn't copy the arrays. */
    static KvTree ofSorted(String[] sortedKeys, KvTree[] children) {
        return sortedKeys.length == 0 ? EMPTY : new KvTree(sortedKeys, children);
    }

    /** The keys, in ascending order of their bytes. */
    public List<String> keys() {
        return List.of(keys);
    }

    public boolean isEmpty() {
        return keys.length == 0;
    }

    /** The tree of a key, or null. */
    public @Nullable KvTree child(String key) {
        int index = Arrays.binarySearch(keys, key);
        return index < 0 ? null : children[index];
    }

    /** Number of keys. */
    public int count() {
        return keys.length;
    }

    /** A key by its index in ascending order. */
    public String keyAt(int index) {
        return keys[index];
    }

    /** The tree of a key by its index in ascending order. */
    public KvTree childAt(int index) {
        return children[index];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KvTree that && Arrays.equals(keys, that.keys) && Arrays.equals(children, that.children);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(keys) + Arrays.hashCode(children);
    }

    /** The form {@code {KEY={VALUE}}}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < keys.length; i++) {
            text.append(i == 0 ? "" : ", ").append(keys[i]).append(children[i].isEmpty() ? "" : "=" + children[i]);
        }
        return text.append('}').toString();
    }

    /** Collects keys in any order. */
    public static final class Builder {
        private final TreeMap<String, KvTree> entries = new TreeMap<>();

        private Builder() {}

        /**
         * Puts a key with its tree.
         *
         * @throws IllegalArgumentException if the key exists, is too long, or contains NUL or a char that is no byte
         */
        public Builder put(String key, KvTree child) {
            requireKey(key);
            if (entries.putIfAbsent(key, child) != null) {
                throw new IllegalArgumentException("key is there already: key=" + key);
            }
            return this;
        }

        /** Puts a key with a value. */
        public Builder put(String key, String value) {
            return put(key, value(value));
        }

        /** Puts a key with a number, in decimal digits. */
        public Builder put(String key, long value) {
            return put(key, value(value));
        }

        /** Puts trees in order, and their number. {@link TreeFields#list} reads them. */
        Builder putList(String key, String countKey, List<KvTree> trees) {
            Builder list = new Builder();
            for (int index = 0; index < trees.size(); index++) {
                list.put(Integer.toString(index), trees.get(index));
            }
            return put(key, list.build()).put(countKey, trees.size());
        }

        /** Puts a text of any length, in which NUL becomes {@code U+FFFD}. {@link TreeFields#longText} reads it. */
        public Builder putText(String key, String text) {
            String bytes = FileName.encode(text.replace('\0', '\uFFFD'));
            Builder parts = new Builder();
            for (int start = 0; start < bytes.length(); start += KEY_BYTES_LIMIT - 1) {
                parts.put(Integer.toString(start),
                        bytes.substring(start, Math.min(bytes.length(), start + KEY_BYTES_LIMIT - 1)));
            }
            return put(key, parts.build());
        }

        /** Puts texts in order. {@link TreeFields#texts} reads them. */
        public Builder putTexts(String key, Collection<String> texts) {
            Builder list = new Builder();
            int index = 0;
            for (String text : texts) {
                list.putText(Integer.toString(index++), text);
            }
            return put(key, list.build());
        }

        /** The tree of all keys added so far. */
        public KvTree build() {
            String[] keys = new String[entries.size()];
            KvTree[] children = new KvTree[keys.length];
            int index = 0;
            for (Map.Entry<String, KvTree> entry : entries.entrySet()) {
                keys[index] = entry.getKey();
                children[index] = entry.getValue();
                index++;
            }
            return ofSorted(keys, children);
        }
    }
}

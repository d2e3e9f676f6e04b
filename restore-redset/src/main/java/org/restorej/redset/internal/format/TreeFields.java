package org.restorej.redset.internal.format;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads typed values from a tree. Errors name the place and the violated rule. */
public final class TreeFields {
    private final @Nullable TreeFields parent;
    /** Of the tree in its parent, or its whole path. */
    private final String name;
    private final KvTree tree;

    /**
     * Creates a reader of a tree's fields.
     *
     * @param place path of the tree for errors, such as {@code DESC/3}
     * @param tree the tree
     */
    public TreeFields(String place, KvTree tree) {
        this(null, place, tree);
    }

    private TreeFields(@Nullable TreeFields parent, String name, KvTree tree) {
        this.parent = parent;
        this.name = name;
        this.tree = tree;
    }

    public KvTree tree() {
        return tree;
    }

    /** The path of the tree, for errors. */
    public String place() {
        return parent == null ? name : parent.place() + "/" + name;
    }

    /** Whether a key exists. */
    public boolean has(String key) {
        return tree.child(key) != null;
    }

    /** The tree of a required key. */
    public TreeFields child(String key) throws FormatException {
        KvTree child = tree.child(key);
        if (child == null) {
            throw new FormatException(place() + " has no key " + key);
        }
        return new TreeFields(this, key, child);
    }

    /** The single value of a key. */
    public String text(String key) throws FormatException {
        return child(key).onlyKey();
    }

    String onlyKey() throws FormatException {
        if (tree.count() != 1) {
            throw new FormatException(place() + " must have exactly one value: " + tree.count());
        }
        return tree.keyAt(0);
    }

    /** The value of a key, which must be a number from {@code least}, at least 0, to {@code most}. */
    public long number(String key, long least, long most) throws FormatException {
        return child(key).number(least, most);
    }

    /** The single value of this tree, as {@link #number(String, long, long)}. */
    long number(long least, long most) throws FormatException {
        return numberOf(onlyKey(), least, most);
    }

    /** As {@link #number(String, long, long)}. */
    public int integer(String key, int least, int most) throws FormatException {
        return (int) number(key, least, most);
    }

    /** The trees that {@link KvTree.Builder#putList} has put. */
    public List<TreeFields> list(String key, String countKey) throws FormatException {
        TreeFields list = child(key);
        int there = list.tree().count();
        int count = integer(countKey, 0, Integer.MAX_VALUE);
        if (count != there) {
            throw new FormatException(place() + "/" + countKey + " must be the number of entries of " + key + ", "
                    + there + ": " + count);
        }
        List<TreeFields> entries = new ArrayList<>(count);
        for (int index = 0; index < count; index++) {
            entries.add(list.child(Integer.toString(index)));
        }
        return entries;
    }

    /** A text that {@link KvTree.Builder#putText} has put. */
    public String longText(String key) throws FormatException {
        KvTree parts = child(key).tree();
        StringBuilder bytes = new StringBuilder();
        for (int start = 0, part = 0; part < parts.count(); part++) {
            String next = child(key).text(Integer.toString(start));
            bytes.append(next);
            start += next.length();
        }
        return FileName.decode(bytes.toString());
    }

    /** Texts that {@link KvTree.Builder#putTexts} has put. */
    public List<String> texts(String key) throws FormatException {
        TreeFields list = child(key);
        List<String> texts = new ArrayList<>();
        for (int index = 0; index < list.tree().count(); index++) {
            texts.add(list.longText(Integer.toString(index)));
        }
        return texts;
    }

    /** A key of this tree as a number. */
    long numberOf(String digits, long least, long most) throws FormatException {
        Long number = parse(digits);
        if (number == null || number < least || number > most) {
            throw new FormatException(place() + " must be a number in [" + least + ", " + most + "]: " + digits);
        }
        return number;
    }

    private static @Nullable Long parse(String digits) {
        try {
            return isCanonical(digits) ? Long.valueOf(digits) : null;
        } catch (NumberFormatException notANumber) {
            return null;
        }
    }

    /**
     * Whether a text begins as a number without a sign and without leading zeros. Keys have no chars above {@code 0xFF},
     * so no digits but those of ASCII.
     */
    static boolean isCanonical(String digits) {
        char first = digits.isEmpty() ? ' ' : digits.charAt(0);
        return first >= '0' && first <= '9' && (first != '0' || digits.length() == 1);
    }
}

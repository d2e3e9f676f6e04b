package org.restorej.redset.internal.format;

import org.jspecify.annotations.Nullable;
import org.restorej.redset.Scheme;

/**
 * The place of a process in its redundancy set ({@code D} in redset's files).
 *
 * @param scheme the redundancy scheme of the set
 * @param group id of the set, {@code 0 .. groups - 1}
 * @param groups number of sets
 * @param rank rank in the set, {@code 0 .. ranks - 1}
 * @param ranks number of processes of the set
 * @param worldRank rank in the application's communicator
 * @param worldRanks size of that communicator
 */
public record Descriptor(Scheme scheme, int group, int groups, int rank, int ranks, int worldRank, int worldRanks) {
    /** Checks the consistency of the numbers. */
    public Descriptor {
        check("rank", rank, "ranks", ranks);
        check("group", group, "groups", groups);
        check("worldRank", worldRank, "worldRanks", worldRanks);
        if (ranks > worldRanks || groups > worldRanks) {
            throw new IllegalArgumentException(
                    "ranks and groups must be at most worldRanks: ranks=" + ranks + ", groups="
                            + groups + ", worldRanks=" + worldRanks);
        }
        scheme.checkSetOf(ranks);
    }

    private static void check(String name, int value, String sizeName, int size) {
        if (value < 0 || value >= size) {
            throw new IllegalArgumentException(
                    name + " must be at least 0 and less than " + sizeName + ": " + name + "=" + value + ", " + sizeName
                            + "=" + size);
        }
    }

    /** The place of another member of the same set. */
    public Descriptor ofMember(int otherRank, int otherWorldRank) {
        return new Descriptor(scheme, group, groups, otherRank, ranks, otherWorldRank, worldRanks);
    }

    /** Whether both are places of members of one set. */
    public boolean isSameSet(Descriptor other) {
        return scheme.equals(other.scheme) && group == other.group && groups == other.groups && ranks == other.ranks
                && worldRanks == other.worldRanks;
    }

    /**
     * Written by hand: the JVM generates the code of a record's own method at its first call, which would be in a
     * recovery.
     */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Descriptor that && isSameSet(that) && rank == that.rank && worldRank == that.worldRank;
    }

    @Override
    public int hashCode() {
        return (group * 31 + rank) * 31 + worldRank;
    }

    KvTree toTree() {
        KvTree.Builder tree = KvTree.builder().put("ENABLED", 1).put("GROUP", group).put("GROUPS", groups)
                .put("RANK", rank)
                .put("RANKS", ranks).put("TYPE", scheme.typeName()).put("WRANK", worldRank).put("WRANKS", worldRanks);
        if (scheme instanceof Scheme.ReedSolomon rs) {
            tree.put("CKSUM", rs.checksums());
        } else if (scheme instanceof Scheme.Partner partner) {
            tree.put("REPLICAS", partner.replicas());
        }
        return tree.build();
    }

    static Descriptor read(TreeFields fields) throws FormatException {
        if (fields.integer("ENABLED", 0, 1) != 1) {
            throw new FormatException(fields.place() + " is of a descriptor that is not enabled");
        }
        try {
            return new Descriptor(readScheme(fields), number(fields, "GROUP"), number(fields, "GROUPS"),
                    number(fields, "RANK"),
                    number(fields, "RANKS"), number(fields, "WRANK"), number(fields, "WRANKS"));
        } catch (IllegalArgumentException inconsistent) {
            throw new FormatException(fields.place() + ": " + inconsistent.getMessage());
        }
    }

    private static int number(TreeFields fields, String key) throws FormatException {
        return fields.integer(key, 0, Integer.MAX_VALUE);
    }

    private static Scheme readScheme(TreeFields fields) throws FormatException {
        String type = fields.text("TYPE");
        return switch (type) {
            case "SINGLE" -> Scheme.single();
            case "PARTNER" -> Scheme.partner(number(fields, "REPLICAS"));
            case "XOR" -> Scheme.xor();
            case "RS" -> Scheme.rs(number(fields, "CKSUM"));
            default -> throw new FormatException(
                    fields.place() + "/TYPE must be SINGLE, PARTNER, XOR or RS: " + type);
        };
    }
}

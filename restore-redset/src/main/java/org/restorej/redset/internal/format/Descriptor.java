package org.restorej.redset.internal.format;

import org.jspecify.annotations.Nullable;
import org.restorej.redset.Scheme;

/**
 * A process' place in its redundancy set ({@code D} in redset's files).
 *
 * @param scheme how the set is protected
 * @param group id of the set, {@code 0 .. groups - 1}
 * @param groups number of sets
 * @param rank rank in the set, {@code 0 .. ranks - 1}
 * @param ranks processes of the set
 * @param worldRank rank in the communicator of the application
 * @param worldRanks its size
 */
public record Descriptor(Scheme scheme, int group, int groups, int rank, int ranks, int worldRank, int worldRanks) {
    /** Checks the numbers against one another. */
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

    /** The same set, another member. */
    public Descriptor ofMember(int otherRank, int otherWorldRank) {
        return new Descriptor(scheme, group, groups, otherRank, ranks, otherWorldRank, worldRanks);
    }

    /** Whether both describe members of one and the same set. */
    public boolean isSameSet(Descriptor other) {
        return scheme.equals(other.scheme) && group == other.group && groups == other.groups && ranks == other.ranks
                && worldRanks == other.worldRanks;
    }

    /** Written out: for a record's own the JVM generates code at its first call, in a first recovery. */
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

package org.restorej.redset.internal.format;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The files of a rank that are being replaced, recorded beside them until the replacement ends. ReStore-J's own file,
 * in the block format of redset.
 *
 * @param commit id that all ranks that replace their files together have in common
 * @param ranks number of participating processes
 * @param moves the files, in order
 */
public record CommitJournal(UUID commit, int ranks, List<Move> moves) {
    /**
     * A file that is replaced or removed.
     *
     * @param name its name in the directory of the journal
     * @param replaced whether a new file replaces it; otherwise it is removed
     */
    public record Move(String name, boolean replaced) {
        KvTree toTree() {
            return KvTree.builder().put("NAME", FileName.encode(name)).put("NEW", replaced ? 1 : 0).build();
        }
    }

    /** Copies the list. */
    public CommitJournal {
        moves = List.copyOf(moves);
    }

    /** The tree to store. */
    public KvTree toTree() {
        return KvTree.builder().put("COMMIT", commit.toString()).put("RANKS", ranks)
                .putList("MOVE", "MOVES", moves.stream().map(Move::toTree).toList()).build();
    }

    /**
     * Reads a tree. Since the files that a journal names are moved and deleted, and its content is not trusted, it may
     * name only files that protect the rank, each once.
     *
     * @param rankPrefix prefix of the names of the rank's files, as in {@link RedsetFileNames#isOfRank}
     * @throws FormatException if the tree is no valid journal of the rank
     */
    public static CommitJournal read(KvTree tree, String rankPrefix) throws FormatException {
        TreeFields root = new TreeFields("journal", tree);
        List<Move> moves = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (TreeFields move : root.list("MOVE", "MOVES")) {
            String name = FileName.decode(move.text("NAME"));
            if (!RedsetFileNames.isOfRank(rankPrefix, name)) {
                throw new FormatException(move.place() + "/NAME must be a descriptor, redundancy or checksum file of "
                        + rankPrefix + "*: " + name);
            }
            if (!names.add(name)) {
                throw new FormatException(move.place() + "/NAME must not be there twice: " + name);
            }
            moves.add(new Move(name, move.integer("NEW", 0, 1) == 1));
        }
        if (moves.isEmpty()) {
            throw new FormatException("journal/MOVE must name a file");
        }
        return new CommitJournal(commit(root.text("COMMIT")), root.integer("RANKS", 1, Integer.MAX_VALUE), moves);
    }

    private static UUID commit(String text) throws FormatException {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException malformed) {
            throw new FormatException("journal/COMMIT must be a UUID: " + text);
        }
    }
}

package org.restorej.redset.internal.offline;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.io.IOException;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.coding.SetFormat;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.RedundancyHeader;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.protocol.OwnMember;
import org.restorej.redset.internal.protocol.ProtectedFiles;

/**
 * What was found of a set, of redset or of another program.
 *
 * @param name what it is called
 * @param place the place of one of its members
 * @param members those with a sound header, by rank in the set; at least one
 * @param lost the files of any other member, which go to where it is said
 * @param unreadable redundancy files without a sound header, with what is wrong
 * @param doubts why nothing of the set may be rebuilt, for people; empty when it may
 * @param notes what is no damage but worth knowing
 */
public record SetParts(SetInspection.SetName name, Descriptor place,
        SortedMap<Integer, OwnMember> members, ProtectedFiles lost, Map<Path, String> unreadable,
        List<String> doubts, List<String> notes) {
    /** Copies the collections. */
    public SetParts {
        members = new TreeMap<>(members);
        unreadable = Map.copyOf(unreadable);
        doubts = List.copyOf(doubts);
        notes = new ArrayList<>(notes);
    }

    /** Where everything of a member is, or belongs if it is lost. */
    @FunctionalInterface
    public interface Places {
        /**
         * The place of a member.
         *
         * @throws IOException when a recorded name leads where it may not, or a lost member may belong to several
         *         directories
         */
        MemberLocation locate(RankRecord member) throws IOException;
    }

    /**
     * The files of a member whose place doesn't follow from its rank alone.
     *
     * @param like files of another member of the set, which are written alike
     * @param places says where they are, or belong when they are lost
     */
    record PlacedFiles(ProtectedFiles like, Places places) implements ProtectedFiles {
        @Override
        public MemberLocation locate(RankRecord member) throws IOException {
            return places.locate(member);
        }

        @Override
        public FileOperations operations() {
            return like.operations();
        }

        @Override
        public RedundancyHeader read(KvTree header, int rank) throws IOException {
            return like.read(header, rank);
        }

        @Override
        public List<String> losses(FoundHeader found, MemberLocation location) throws IOException {
            return like.losses(found, location);
        }

        @Override
        public SetFormat format(SetDescription set, List<KvTree> headers) throws IOException {
            return like.format(set, headers);
        }
    }
}

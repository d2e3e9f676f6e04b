package org.restorej.redset.internal.sets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.restorej.redset.Scheme;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.FileMetadata;
import org.restorej.redset.internal.format.RankRecord.FileRecord;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.RedundancyHeader;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.format.FileMetadata.Timestamp;
import org.restorej.testing.Deep;

/** What the files of the members of a set come to. */
class SetSurveyTest {
    private static final int RANKS = 250;

    private static SetDescription set(String file) {
        Timestamp time = new Timestamp(1, 2);
        FileMetadata metadata = new FileMetadata(0100644, 1, 1, time, time, time);
        List<RankRecord> members = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            Descriptor place = new Descriptor(Scheme.partner(120), 0, 1, rank, RANKS, rank, RANKS);
            members.add(new RankRecord(place, List.of(new FileRecord(file + rank, 100, metadata))));
        }
        return new SetDescription(members);
    }

    /** Guards against work of the fourth power of the ranks, which takes minutes. */
    @Deep
    @Test
    @Timeout(value = 40, threadMode = Timeout.ThreadMode.SEPARATE_THREAD, unit = TimeUnit.SECONDS)
    void takesTheEncodingThatTheFewestOfManyMembersLack() throws IOException {
        SetDescription few = set("few");
        SetDescription most = set("most");
        BitSet missing = new BitSet();
        List<SetSurvey.Member> members = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            boolean isFew = rank % 2 == 0 && rank > 10;
            missing.set(rank, isFew);
            KvTree header = (isFew ? few : most).header(rank).toTree();
            members.add(new SetSurvey.Member(RedundancyHeader.read(header, rank), Map.of(), List.of()));
        }
        SetSurvey survey = SetSurvey.of(RANKS, members);
        assertEquals(most, assertNotNullDescription(survey));
        assertEquals(missing, survey.missing());
    }

    @Test
    void takesNoneOfTwoEncodingsThatCouldBeRebuiltAlike() {
        SetDescription one = set("one");
        SetDescription other = set("other");
        List<SetSurvey.Member> members = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            members.add(new SetSurvey.Member((rank % 2 == 0 ? other : one).header(rank), Map.of(), List.of()));
        }
        SetSurvey survey = SetSurvey.of(RANKS, members);
        assertNull(survey.description());
        assertEquals("headers are of several encodings, none of which more members have than another",
                survey.problem());
        assertFalse(survey.canRebuild());
    }

    private static SetDescription assertNotNullDescription(SetSurvey survey) {
        assertNotNull(survey.description());
        return survey.description();
    }
}

package org.restorej.redset.internal.sets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.restorej.redset.Scheme;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTree;

/** What ranks wish for, told to one another, and the places that follow. */
class ProtectionSettingsTest {
    private static ProtectionSettings settings(Scheme scheme, boolean degrades, String group) {
        return new ProtectionSettings(scheme, 2, degrades, group);
    }

    private static RankPlaces places(Scheme scheme, boolean degrades, String... groups) throws FormatException {
        List<KvTree> told = new ArrayList<>();
        for (String group : groups) {
            told.add(settings(scheme, degrades, group).toTree());
        }
        return settings(scheme, degrades, groups[0]).places(told);
    }

    @Test
    void ranksOfDifferentFailureGroupsFormSetsWhateverTheGroupsAreCalled() throws FormatException {
        for (Scheme scheme : List.of(Scheme.xor(), Scheme.rs(1), Scheme.partner(1))) {
            RankPlaces places = places(scheme, false, "rack/1", "rack/1", "", "", "rack/2/α", "//");
            List<List<Integer>> sets = List.of(List.of(0, 2), List.of(1, 3), List.of(4, 5));
            for (int set = 0; set < sets.size(); set++) {
                for (int member = 0; member < 2; member++) {
                    int rank = sets.get(set).get(member);
                    assertEquals(new Descriptor(scheme, set, 3, member, 2, rank, 6), places.placeOf(rank));
                    assertEquals(sets.get(set), places.membersOf(rank));
                }
            }
        }
    }

    @Test
    void whatDiffersOnARankIsNamedWithTheRank() {
        ProtectionSettings first = settings(Scheme.xor(), false, "a");
        for (ProtectionSettings other : List.of(settings(Scheme.rs(1), false, "b"),
                settings(Scheme.xor(), true, "b"),
                new ProtectionSettings(Scheme.xor(), 3, false, "b"))) {
            assertSays(assertThrows(IllegalArgumentException.class,
                    () -> first.places(List.of(first.toTree(), first.toTree(), other.toTree()))),
                    "rank 0 XOR/2/refuse", "rank 2 ", other.scheme() + "/" + other.setSize());
        }
    }

    @Test
    void aSetThatIsTooSmallIsRefusedOrGetsLessAndIsWarnedOf() throws FormatException {
        assertSays(assertThrows(IllegalArgumentException.class,
                () -> places(Scheme.xor(), false, "a", "b", "a")),
                "ranks [2] form a set of their own, as they are of failure groups [a]");
        RankPlaces lesser = places(Scheme.xor(), true, "a", "b", "a");
        assertEquals(Scheme.xor(), lesser.placeOf(0).scheme());
        assertEquals(Scheme.single(), lesser.placeOf(2).scheme());
        ProtectionSettings wished = settings(Scheme.xor(), true, "a");
        assertEquals(List.of(), warnings(wished, lesser.placeOf(0)));
        assertEquals(List.of("rank 2 is in a set of 1 ranks, too few for XOR: it gets SINGLE, and its files can't "
                + "be rebuilt when they are lost"), warnings(wished, lesser.placeOf(2)));
        assertEquals(List.of("rank 1 is in a set of 2 ranks, too few for RS k=2: it gets RS k=1"),
                warnings(settings(Scheme.rs(2), true, "a"),
                        new Descriptor(Scheme.rs(1), 0, 1, 1, 2, 1, 2)).stream()
                        .map(text -> text.replace(Scheme.rs(2).toString(), "RS k=2")
                                .replace(Scheme.rs(1).toString(), "RS k=1"))
                        .toList());
    }

    private static List<String> warnings(ProtectionSettings settings, Descriptor place) {
        List<String> texts = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord record) {
                texts.add(new SimpleFormatter().formatMessage(record));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger(ProtectionSettings.class.getName());
        Level before = logger.getLevel();
        logger.setLevel(Level.ALL);
        logger.addHandler(handler);
        try {
            settings.warnOf(place);
        } finally {
            logger.removeHandler(handler);
            logger.setLevel(before);
        }
        return texts;
    }

    @Test
    void refusesASetSizeOfZero() {
        new ProtectionSettings(Scheme.xor(), 1, false, "a");
        assertSays(assertThrows(IllegalArgumentException.class,
                () -> new ProtectionSettings(Scheme.xor(), 0, false, "a")), "setSize=0");
    }
}

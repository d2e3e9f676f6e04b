package org.restorej.internal.operation;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.internal.settlement.Meeting;

/**
 * Finds settings that differ between PEs, by their values and not by a digest of them. Costs one reduction of two longs
 * a setting, and a second one only when something differs.
 */
final class SettingsComparison {
    private final Meeting meeting;
    private final Communicator communicator;
    private final int count;
    /** Of each setting this PE's value; behind them their complements, since every long has one. */
    private final long[] own;
    /** The least of each over all PEs: so the complements of the greatest values, too. */
    private final long[] least;

    /**
     * One setting of one PE.
     *
     * @param name what the builder calls it
     * @param value a number, or 1 for true
     * @param flag whether it is true or false
     */
    record Setting(String name, long value, boolean flag) {
        static Setting number(String name, long value) {
            return new Setting(name, value, false);
        }

        static Setting flag(String name, boolean value) {
            return new Setting(name, value ? 1 : 0, true);
        }

        private String text(long other) {
            return flag ? Boolean.toString(other != 0) : Long.toString(other);
        }
    }

    /** Compares. Collective; the same result on every PE, of the same settings in the same order. */
    SettingsComparison(Meeting meeting, Communicator communicator, List<Setting> settings) {
        this.meeting = meeting;
        this.communicator = communicator;
        count = settings.size();
        own = new long[2 * count];
        for (int i = 0; i < count; i++) {
            own[i] = settings.get(i).value();
            own[count + i] = ~own[i];
        }
        least = leastOnAllPes(own.clone());
    }

    /** The least value of a setting on any PE. */
    long least(int setting) {
        return least[setting];
    }

    /** Whether a setting is not the same on every PE. */
    boolean differs(int setting) {
        return least[setting] != ~least[count + setting];
    }

    /**
     * What is not the same on every PE, with the lowest rank of the least value and the lowest one of the greatest.
     * Collective, the same on every PE.
     *
     * @param settings the first ones of those compared
     */
    List<String> differences(List<Setting> settings) {
        int[] differing = IntStream.range(0, settings.size()).filter(this::differs).toArray();
        if (differing.length == 0) {
            return List.of();
        }
        meeting.at(communicator);
        long[] ranks = new long[own.length];
        Arrays.setAll(ranks, i -> own[i] == least[i] ? communicator.rank() : Long.MAX_VALUE);
        leastOnAllPes(ranks);
        return Arrays.stream(differing).mapToObj(i -> {
            Setting setting = settings.get(i);
            return setting.name() + " must be the same on every PE: it is " + setting.text(least[i]) + " on rank "
                    + ranks[i] + " and " + setting.text(~least[count + i]) + " on rank " + ranks[count + i];
        }).toList();
    }

    private long[] leastOnAllPes(long[] values) {
        return meeting.at(communicator).settle("comparing configurations", () -> {
            communicator.allReduce(values, Reduction.MIN);
            return values;
        });
    }
}

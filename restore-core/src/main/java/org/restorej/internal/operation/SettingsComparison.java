package org.restorej.internal.operation;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.internal.settlement.Meeting;

/**
 * Finds settings that differ between PEs, comparing values instead of a digest. Costs one reduction of two longs for
 * each setting, and a second one only if something differs.
 */
final class SettingsComparison {
    private final Meeting meeting;
    private final Communicator communicator;
    private final int count;
    /** This PE's value of each setting, followed by the complements: every long has one. */
    private final long[] own;
    /** The minimum of each over all PEs, and so also the complements of the maximum values. */
    private final long[] minima;

    /**
     * One setting of one PE.
     *
     * @param name its name in the builder
     * @param value a number, or 1 for true
     * @param flag whether it is a boolean
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

    /** Compares the settings. Collective; the same result on every PE, for the same settings in the same order. */
    SettingsComparison(Meeting meeting, Communicator communicator, List<Setting> settings) {
        this.meeting = meeting;
        this.communicator = communicator;
        count = settings.size();
        own = new long[2 * count];
        for (int i = 0; i < count; i++) {
            own[i] = settings.get(i).value();
            own[count + i] = ~own[i];
        }
        minima = minOnAllPes(own.clone());
    }

    /** The minimum value of a setting over all PEs. */
    long min(int setting) {
        return minima[setting];
    }

    /** Whether a setting differs between PEs. */
    boolean differs(int setting) {
        return minima[setting] != ~minima[count + setting];
    }

    /**
     * Describes the settings that differ, with the lowest rank that has the minimum value and the lowest that has the
     * maximum. Collective, the same on every PE.
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
        Arrays.setAll(ranks, i -> own[i] == minima[i] ? communicator.rank() : Long.MAX_VALUE);
        minOnAllPes(ranks);
        return Arrays.stream(differing).mapToObj(i -> {
            Setting setting = settings.get(i);
            return setting.name() + " must be the same on every PE: it is " + setting.text(minima[i]) + " on rank "
                    + ranks[i] + " and " + setting.text(~minima[count + i]) + " on rank " + ranks[count + i];
        }).toList();
    }

    private long[] minOnAllPes(long[] values) {
        return meeting.at(communicator).settle("comparing configurations", () -> {
            communicator.allReduce(values, Reduction.MIN);
            return values;
        });
    }
}

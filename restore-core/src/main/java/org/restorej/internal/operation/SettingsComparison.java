package org.restorej.internal.operation;

import java.util.ArrayList;
import java.util.List;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.Settlement;

/**
 * Finds settings that differ between PEs, by their values and not by a digest of them. Costs one reduction of two longs
 * a setting, and a second one only when something differs.
 */
final class SettingsComparison {
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

    /**
     * What is not the same on every PE.
     *
     * @param differences settings, with the lowest rank of the least value and the lowest one of the greatest
     * @param labelsDiffer whether the label does
     * @param refused whether some PE has settings that can't be compared
     */
    record Result(List<String> differences, boolean labelsDiffer, boolean refused) {}

    private SettingsComparison() {}

    /**
     * Compares. Collective; the same result on every PE.
     *
     * @param own settings of this PE: the same ones in the same order on every PE
     * @param label a number that may differ
     * @param refused whether this PE has settings that can't be compared
     */
    static Result compare(Communicator communicator, List<Setting> own, long label, boolean refused) {
        int count = own.size();
        long[] bounds = new long[2 * count + 3];
        for (int i = 0; i < count; i++) {
            bounds[i] = own.get(i).value();
            // The complement of the greatest, since every long has one.
            bounds[count + i] = ~own.get(i).value();
        }
        bounds[2 * count] = label;
        bounds[2 * count + 1] = ~label;
        bounds[2 * count + 2] = refused ? 0 : 1;
        reduce(communicator, bounds);
        List<Integer> differing = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (bounds[i] != ~bounds[count + i]) {
                differing.add(i);
            }
        }
        boolean refusedSomewhere = bounds[2 * count + 2] == 0;
        return new Result(
                differing.isEmpty() || refusedSomewhere ? List.of() : located(communicator, own, bounds, differing),
                bounds[2 * count] != ~bounds[2 * count + 1], refusedSomewhere);
    }

    private static List<String> located(Communicator communicator, List<Setting> own, long[] bounds,
            List<Integer> differing) {
        int count = own.size();
        Settlement.expect(communicator);
        long[] ranks = new long[2 * count];
        for (int i = 0; i < count; i++) {
            ranks[i] = own.get(i).value() == bounds[i] ? communicator.rank() : Long.MAX_VALUE;
            ranks[count + i] = own.get(i).value() == ~bounds[count + i] ? communicator.rank() : Long.MAX_VALUE;
        }
        reduce(communicator, ranks);
        return differing.stream().map(i -> {
            Setting setting = own.get(i);
            return setting.name() + " must be the same on every PE: it is " + setting.text(bounds[i]) + " on rank "
                    + ranks[i] + " and " + setting.text(~bounds[count + i]) + " on rank " + ranks[count + i];
        }).toList();
    }

    private static void reduce(Communicator communicator, long[] values) {
        Settlement.settle(communicator, "comparing configurations", () -> {
            communicator.allReduce(values, Reduction.MIN);
            return values;
        });
    }
}

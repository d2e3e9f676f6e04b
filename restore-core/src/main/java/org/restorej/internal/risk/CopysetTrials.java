package org.restorej.internal.risk;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Lets random elements fail one after the other until a copyset is complete. The same seed gives the same outcome. Time
 * {@code O(f)} for each trial of f failures, times the copysets that one is in. One thread.
 */
final class CopysetTrials {
    private final IntSets setsByMember;
    /** Those after the last member are in no set. */
    private final int memberCount;
    private final SplittableRandom random;
    /** In the order of the latest trial; any order is as good a beginning for the next. */
    private final int[] elements;
    private final int[] alive;

    CopysetTrials(Copysets copysets, long seed) {
        IntSets sets = copysets.sets();
        memberCount = copysets.memberCount();
        setsByMember = sets.byMember(sets.count(), memberCount);
        random = new SplittableRandom(seed);
        elements = new int[copysets.population()];
        Arrays.setAll(elements, element -> element);
        alive = new int[sets.count()];
        Arrays.setAll(alive, sets::size);
    }

    /** How many of so many trials, each of so many failures, have lost something. */
    int losses(int trials, int deaths) {
        int losses = 0;
        for (int trial = 0; trial < trials; trial++) {
            losses += isLossAfter(deaths) ? 1 : 0;
        }
        return losses;
    }

    private boolean isLossAfter(int mostDeaths) {
        int deaths = 0;
        boolean lost = false;
        while (deaths < mostDeaths && !lost) {
            int drawn = random.nextInt(deaths, elements.length);
            int element = elements[drawn];
            elements[drawn] = elements[deaths];
            elements[deaths++] = element;
            lost = fails(element);
        }
        for (int i = 0; i < deaths; i++) {
            revive(elements[i]);
        }
        return lost;
    }

    private boolean fails(int element) {
        boolean complete = false;
        for (int i = first(element); i < first(element + 1); i++) {
            complete |= --alive[setsByMember.memberAt(i)] == 0;
        }
        return complete;
    }

    private void revive(int element) {
        for (int i = first(element); i < first(element + 1); i++) {
            alive[setsByMember.memberAt(i)]++;
        }
    }

    private int first(int element) {
        return setsByMember.start(Math.min(element, memberCount));
    }
}

package org.restorej.redset;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.protocol.RedsetChannel;

/**
 * Settings that must be the same on all ranks: with different ones, ranks would wait for each other in different
 * steps. Two reductions compare them exactly. Only when they differ, all ranks exchange them. One thread.
 */
final class UniformSettings {
    private final Map<String, String> values = new LinkedHashMap<>();

    /** All of a configuration but paths and failure groups, which each host may have its own of. */
    UniformSettings(String name, RedundancyConfiguration configuration, boolean degradesSmallSets) {
        values.put("name", name);
        values.put("degradeSmallSets", Boolean.toString(degradesSmallSets));
        values.put("configuration.descriptors.size()", Integer.toString(configuration.descriptors().size()));
        for (int i = 0; i < configuration.descriptors().size(); i++) {
            RedundancyDescriptor descriptor = configuration.descriptors().get(i);
            String path = "configuration.descriptors[" + i + "].";
            values.put(path + "interval", Long.toString(descriptor.interval()));
            values.put(path + "group", descriptor.group());
            values.put(path + "scheme", descriptor.scheme().toString());
            values.put(path + "setSize", Integer.toString(descriptor.setSize()));
            values.put("keep count of the store of descriptors[" + i + "]",
                    Integer.toString(configuration.keepCount(descriptor.store())));
        }
    }

    /**
     * Compares them. Called by all ranks.
     *
     * @throws IllegalArgumentException on all ranks, when some differ; it says which ranks have which value
     */
    void require(RedsetChannel channel, String operation) {
        byte[] text = KvTreeBlock.encodeMessage(KvTree.builder().putTexts("VALUES", values.values()).build());
        if (isTheSame(channel, operation, new long[]{text.length}) && isTheSame(channel, operation, words(text))) {
            return;
        }
        throw new ArgumentCheck(channel, operation)
                .refusal(difference(channel.compute(operation, () -> channel.allGather(values.values()))));
    }

    private static boolean isTheSame(RedsetChannel channel, String operation, long[] own) {
        long[] bounds = Arrays.copyOf(own, 2 * own.length);
        for (int i = 0; i < own.length; i++) {
            bounds[own.length + i] = ~own[i];
        }
        channel.step(operation, () -> channel.least(bounds));
        for (int i = 0; i < own.length; i++) {
            if (bounds[i] != ~bounds[own.length + i]) {
                return false;
            }
        }
        return true;
    }

    private static long[] words(byte[] text) {
        long[] words = new long[Math.ceilDiv(text.length, Long.BYTES)];
        ByteBuffer.wrap(Arrays.copyOf(text, words.length * Long.BYTES)).asLongBuffer().get(words);
        return words;
    }

    /** The first that differs: those behind may be of something else then. */
    private String difference(List<List<String>> told) {
        int index = 0;
        for (String setting : values.keySet()) {
            SortedMap<String, List<Integer>> ranks = new TreeMap<>();
            for (int rank = 0; rank < told.size(); rank++) {
                ranks.computeIfAbsent(told.get(rank).get(index), absent -> new ArrayList<>()).add(rank);
            }
            if (ranks.size() > 1) {
                List<String> found = new ArrayList<>();
                ranks.forEach((value, those) -> found.add(value + " on ranks " + those));
                return setting + " must be the same on all ranks: " + String.join(", ", found);
            }
            index++;
        }
        throw new IllegalStateException("settings that differ must have a first: " + values);
    }
}

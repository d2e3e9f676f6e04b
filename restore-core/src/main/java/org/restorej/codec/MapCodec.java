package org.restorej.codec;

import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Serializes maps as lists of their entries. */
final class MapCodec<K, V> implements BlockSerializer<Map<K, V>> {
    private final BlockSerializer<List<Entry<K, V>>> entries;

    private record Entry<K, V>(K key, V value) {}

    MapCodec(BlockSerializer<K> keys, BlockSerializer<V> values) {
        @SuppressWarnings("unchecked") // Of the types that these serializers have.
        BlockSerializer<Entry<K, V>> entry = (BlockSerializer<Entry<K, V>>) (BlockSerializer<?>) Codecs
                .record(Entry.class, keys, values);
        entries = entry.list();
    }

    private static <K, V> List<Entry<K, V>> entriesOf(Map<K, V> map) {
        return map.entrySet().stream().map(each -> new Entry<>(each.getKey(), each.getValue())).toList();
    }

    @Override
    public long sizeBytes(Map<K, V> map) {
        return entries.sizeBytes(entriesOf(map));
    }

    @Override
    public void write(Map<K, V> map, MemorySegment block) {
        entries.write(entriesOf(map), block);
    }

    @Override
    public Map<K, V> read(MemorySegment block) {
        Map<K, V> map = new LinkedHashMap<>();
        for (Entry<K, V> each : entries.read(block)) {
            if (map.put(each.key(), each.value()) != null) {
                throw new IllegalArgumentException("a map must have each key once: key=" + each.key());
            }
        }
        return map;
    }
}

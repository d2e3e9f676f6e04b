package org.restorej.redset.internal.scr;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.RedundancyConfiguration;
import org.restorej.redset.RedundancyDescriptor;

/**
 * A configuration with the reasons for what it says.
 *
 * @param configuration what it says
 * @param settings of each descriptor, where they are from; the first says which line or parameters made it
 * @param keepCounts by store, where {@code COUNT} is from
 * @param keepCount where the count for other stores is from
 * @param passedOver descriptors that don't count, and why
 * @param environmentLabels by kind of failure group, what the environment says of this host
 */
public record ScrConfiguration(RedundancyConfiguration configuration,
        Map<RedundancyDescriptor, List<Setting>> settings, Map<String, Setting> keepCounts, Setting keepCount,
        List<Setting> passedOver, Map<String, Setting> environmentLabels) {
    /** Copies the collections. */
    public ScrConfiguration {
        settings = Map.copyOf(settings);
        keepCounts = Map.copyOf(keepCounts);
        passedOver = List.copyOf(passedOver);
        environmentLabels = Map.copyOf(environmentLabels);
    }

    /**
     * What applies to a checkpoint on a host, and why.
     *
     * @param checkpoint its id
     * @param host as {@code GROUPS} lines name it
     */
    public List<Setting> explain(long checkpoint, String host) {
        RedundancyDescriptor descriptor = configuration.forCheckpoint(checkpoint);
        List<Long> dividing = configuration.descriptors().stream().map(RedundancyDescriptor::interval)
                .filter(interval -> checkpoint % interval == 0).sorted().toList();
        List<Long> others = configuration.descriptors().stream().map(RedundancyDescriptor::interval)
                .filter(interval -> checkpoint % interval != 0).sorted().toList();
        List<Setting> all = new ArrayList<>();
        List<Setting> own = settings.getOrDefault(descriptor, List.of());
        all.add(own.getFirst());
        all.add(new Setting("interval", Long.toString(descriptor.interval()), "the largest of those that divide "
                + checkpoint + ": " + dividing + (others.isEmpty() ? "" : ", not " + others)));
        all.addAll(own.subList(1, own.size()));
        all.add(label(descriptor.group(), host));
        Setting kept = keepCounts.get(descriptor.store().toString());
        all.add(kept == null ? keepCount : kept);
        all.addAll(passedOver);
        return all;
    }

    private Setting label(String kind, String host) {
        String name = "label of " + host;
        Optional<String> label = configuration.failureGroup(kind, host);
        @Nullable
        Setting ofEnvironment = environmentLabels.get(kind);
        if (label.isEmpty()) {
            return ofEnvironment == null
                    ? new Setting(name, "none", "no line GROUPS=" + host + " has " + kind)
                    : new Setting(name, "unknown", "the environment of processes of " + host
                            + " says it; here it is " + ofEnvironment.value() + ", by " + ofEnvironment.source());
        }
        boolean isFixed = kind.equals(RedundancyConfiguration.GROUP_NODE)
                || kind.equals(RedundancyConfiguration.GROUP_WORLD);
        String fixed = kind.equals(RedundancyConfiguration.GROUP_NODE) ? "the host itself" : "one for all";
        String ofLines = ofEnvironment == null ? "line GROUPS=" + host : ofEnvironment.source();
        return new Setting(name, label.get(), isFixed ? fixed : ofLines);
    }

    /**
     * A setting that applies, and why.
     *
     * @param name what it is called
     * @param value what it is
     * @param source where it is from
     */
    public record Setting(String name, String value, String source) {}
}

package org.restorej.redset.internal.scr;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Which failure groups the environment of a process names, for the host that it runs on.
 *
 * @param environment variables and their values
 */
record EnvironmentGroups(Map<String, String> environment) {
    private static final String OWN_PREFIX = "RESTOREJ_GROUP_";
    private static final String SLURM_ADDRESS = "SLURM_TOPOLOGY_ADDR";
    private static final String SLURM_PATTERN = "SLURM_TOPOLOGY_ADDR_PATTERN";

    /** The label of a kind of group, with its variable as the source; empty when the environment names none. */
    Optional<ScrConfiguration.Setting> label(String kind) {
        String variable = OWN_PREFIX + kind;
        String own = environment.getOrDefault(variable, "");
        return own.isEmpty() ? slurmLabel(kind) : Optional.of(new ScrConfiguration.Setting(kind, own, variable));
    }

    /** Slurm names the way from the top of the network to the node, and by the pattern what each name is of. */
    private Optional<ScrConfiguration.Setting> slurmLabel(String kind) {
        String[] pattern = environment.getOrDefault(SLURM_PATTERN, "").split("\\.", -1);
        String address = environment.getOrDefault(SLURM_ADDRESS, "");
        // The last is the node, whose name may have points.
        String[] names = address.split("\\.", pattern.length);
        for (int i = pattern.length - 1; i >= 0 && names.length == pattern.length; i--) {
            if (pattern[i].equals(kind.toLowerCase(Locale.ROOT)) && !names[i].isEmpty()) {
                return Optional.of(new ScrConfiguration.Setting(kind, names[i], SLURM_ADDRESS + "=" + address + ", "
                        + SLURM_PATTERN + "=" + String.join(".", pattern)));
            }
        }
        return Optional.empty();
    }

    /** What would have to be there for a label, for people. */
    String missing(String kind) {
        String name = kind.toLowerCase(Locale.ROOT);
        String pattern = environment.get(SLURM_PATTERN);
        return "no line GROUPS=<host> " + kind + "=<label> for each host, no " + OWN_PREFIX + kind
                + " in the environment, and "
                + (pattern == null
                        ? "no " + SLURM_PATTERN + " there with a " + name
                        : SLURM_PATTERN + "=" + pattern + " there has no " + name);
    }
}

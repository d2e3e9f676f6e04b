package org.restorej.redset;

import java.util.Map;
import org.restorej.internal.host.HostName;
import org.restorej.redset.RedundancyConfiguration.ConfigurationException;
import org.restorej.redset.internal.scr.ScrConfigurationReader;

/**
 * Reads configurations in the format of SCR. A line is a list of {@code KEY=VALUE}; {@code #} starts a comment. Keys
 * may be in lower case, with spaces around {@code =}. {@code $NAME} in a value, of letters and {@code _}, is replaced
 * by that environment variable of this process.
 *
 * <pre>
 * SCR_COPY_TYPE=FILE
 * CKPT=0 INTERVAL=1 GROUP=NODE   STORE=/tmp TYPE=XOR SET_SIZE=16
 * CKPT=1 INTERVAL=8 GROUP=SWITCH STORE=/ssd TYPE=RS  SET_SIZE=8 SET_FAILURES=2
 * STORE=/tmp
 * STORE=/ssd GROUP=NODE COUNT=3
 * GROUPS=host1 SWITCH=0
 * </pre>
 *
 * <p>
 * {@code SET_FAILURES} is the number of replicas or checksums. RS with one checksum is XOR. {@code TYPE} may be in
 * lower or upper case; its default is XOR. If {@code SCR_COPY_TYPE} is not {@code FILE}, the {@code CKPT} lines are
 * ignored, and {@code SCR_COPY_TYPE}, {@code SCR_GROUP}, {@code SCR_CACHE_BASE}, {@code SCR_SET_SIZE} and
 * {@code SCR_SET_FAILURES} make one descriptor. These and {@code SCR_CACHE_SIZE} are overridden by environment
 * variables. Other {@code SCR_} parameters, {@code CNTLDIR} and {@code CACHEDIR} lines are ignored. All errors are
 * collected, by line.
 *
 * <p>
 * Lines with the same {@code CKPT} are merged, and so are those with the same {@code STORE}. A {@code CKPT} line is
 * ignored, with a warning in the log, if it has {@code ENABLED=0}, or its store has, or there are {@code STORE} lines
 * but none of its store, or another one has the same {@code INTERVAL}. Without any {@code STORE} line the only store is
 * {@code SCR_CACHE_BASE}, by default {@code /dev/shm}. If no line with {@code INTERVAL=1} is left, that is an error;
 * SCR would continue without redundancy.
 *
 * <p>
 * A group such as {@code SWITCH} that no {@code GROUPS} line defines is taken from the environment of this process, for
 * this host: its label is {@code RESTOREJ_GROUP_SWITCH}, or the element of {@code SLURM_TOPOLOGY_ADDR} at the position
 * of {@code switch} in {@code SLURM_TOPOLOGY_ADDR_PATTERN}, the one nearest to the node. If the environment has
 * neither, that is an error. So each process reads the configuration for itself.
 */
public final class ScrConfigurationParser {
    private ScrConfigurationParser() {}

    /**
     * Reads a configuration.
     *
     * @param text its lines
     * @throws ConfigurationException with all errors, if there are any
     */
    public static RedundancyConfiguration parse(String text) throws ConfigurationException {
        return parse(text, System.getenv());
    }

    /** Reads a configuration in another environment; see {@link #parse(String)}. */
    static RedundancyConfiguration parse(String text, Map<String, String> environment) throws ConfigurationException {
        return ScrConfigurationReader.read(text, environment, HostName.orLocalhost());
    }
}

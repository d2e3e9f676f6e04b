package org.restorej.redset;

import java.util.Map;
import org.restorej.internal.host.HostName;
import org.restorej.redset.RedundancyConfiguration.ConfigurationException;
import org.restorej.redset.internal.scr.ScrConfigurationReader;

/**
 * Reads configurations in the format of SCR. A line is a list of {@code KEY=VALUE}; {@code #} begins a comment. Keys
 * may be in lower case, and spaces around {@code =}. {@code $NAME} in a value is the variable of that name, of letters
 * and {@code _}, in the environment of this process.
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
 * {@code SET_FAILURES} is the number of replicas or checksums; {@code REPLICAS} and {@code CHECKSUMS} mean the same. RS
 * with one checksum is XOR. {@code TYPE} may be in lower or upper case. Without it {@code SCR_COPY_TYPE} counts, or
 * XOR, its default, as {@code FILE} names no scheme.
 * With another {@code SCR_COPY_TYPE} than {@code FILE} the {@code CKPT} lines don't count: {@code SCR_COPY_TYPE},
 * {@code SCR_GROUP}, {@code SCR_CACHE_BASE}, {@code SCR_SET_SIZE} and {@code SCR_SET_FAILURES} make one descriptor.
 * These and {@code SCR_CACHE_SIZE} are taken from the environment where it has them, other {@code SCR_} parameters,
 * {@code CNTLDIR} and {@code CACHEDIR} lines are ignored. All errors are collected, by line.
 *
 * <p>
 * Lines with the same {@code CKPT} are one, as are those with the same {@code STORE}. A {@code CKPT} line doesn't count
 * when it has {@code ENABLED=0}, or when its store has, or when there are {@code STORE} lines but none of its store, or
 * when the {@code INTERVAL} is that of another one; which is logged as a warning. Without any {@code STORE} line there
 * is only the store {@code SCR_CACHE_BASE}, by default {@code /dev/shm}. That no line with {@code INTERVAL=1} is left
 * is an error; SCR would go on without redundancy.
 *
 * <p>
 * A group such as {@code SWITCH} that no {@code GROUPS} line defines is taken from the environment of this process, for
 * this host: {@code RESTOREJ_GROUP_SWITCH} is its label, or what {@code SLURM_TOPOLOGY_ADDR} has where
 * {@code SLURM_TOPOLOGY_ADDR_PATTERN} has {@code switch}, the one nearest to the node. Where the environment has
 * neither, that is an error, so each process reads the configuration for itself.
 */
public final class ScrConfigurationParser {
    private ScrConfigurationParser() {}

    /**
     * Reads a configuration.
     *
     * @param text its lines
     * @throws ConfigurationException with all errors, when there are any
     */
    public static RedundancyConfiguration parse(String text) throws ConfigurationException {
        return parse(text, System.getenv());
    }

    /** As {@link #parse(String)}, in another environment. */
    static RedundancyConfiguration parse(String text, Map<String, String> environment) throws ConfigurationException {
        return ScrConfigurationReader.read(text, environment, HostName.orLocalhost());
    }
}

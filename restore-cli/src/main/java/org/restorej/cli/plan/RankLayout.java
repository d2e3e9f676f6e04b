package org.restorej.cli.plan;

import java.util.Locale;

/** On which node a launcher puts which rank. */
enum RankLayout {
    /** Ranks fill one node after the other, the usual way. */
    BY_NODE,
    /** Ranks are dealt out, one to each node in turn. */
    ROUND_ROBIN;

    /** As it is written on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

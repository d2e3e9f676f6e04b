package org.restorej.cli.plan;

import java.util.Locale;

/** The order in which a launcher places ranks on nodes. */
enum RankLayout {
    /** Ranks fill one node after the other; the usual order. */
    BY_NODE,
    /** Ranks are placed on the nodes in turn. */
    ROUND_ROBIN;

    /** The name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

package org.restorej.redset.internal.offline;

import java.util.Map;
import org.restorej.redset.internal.format.Descriptor;

/**
 * A set that at least one header tells of.
 *
 * @param prefix what the names of its files begin with, directory included
 * @param place the place of one of its members
 * @param headers by rank in the set
 */
record FoundSet(String prefix, Descriptor place, Map<Integer, DirectoryScan.FoundHeader> headers) {}

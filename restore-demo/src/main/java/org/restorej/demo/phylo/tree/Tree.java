package org.restorej.demo.phylo.tree;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.restorej.cli.command.InvalidInputException;

/**
 * An unrooted tree with branch lengths; inner nodes have three or more branches.
 *
 * <p>
 * Nodes are {@code 0 .. nodeCount() - 1}, the tips first, in order of {@link #taxa}. Branches are
 * {@code 0 .. branchCount() - 1}. Immutable.
 */
public final class Tree {
    /** Longest branch that is read: beyond, nothing is left of the state at the other end. */
    static final double MAX_LENGTH = 1e6;

    private final List<String> taxa;
    private final int nodeCount;
    /** Branch b joins nodes {@code ends[2b]} and {@code ends[2b + 1]}. */
    private final int[] ends;
    private final double[] lengths;
    /** The branches at node n are {@code incident[firstIncident[n] .. firstIncident[n + 1] - 1]}. */
    private final int[] firstIncident;
    private final int[] incident;

    /**
     * Takes over the arrays.
     *
     * @param taxa names of the tips
     * @param nodeCount number of tips and inner nodes
     * @param ends two nodes a branch
     * @param lengths a length a branch, finite and at least 0
     */
    Tree(List<String> taxa, int nodeCount, int[] ends, double[] lengths) {
        this.taxa = List.copyOf(taxa);
        this.nodeCount = nodeCount;
        this.ends = ends;
        this.lengths = lengths;
        firstIncident = new int[nodeCount + 1];
        for (int node : ends) {
            firstIncident[node + 1]++;
        }
        for (int node = 0; node < nodeCount; node++) {
            firstIncident[node + 1] += firstIncident[node];
        }
        incident = new int[ends.length];
        int[] next = firstIncident.clone();
        for (int index = 0; index < ends.length; index++) {
            incident[next[ends[index]]++] = index / 2;
        }
    }

    /** Names of the tips. */
    public List<String> taxa() {
        return taxa;
    }

    /** Number of tips. */
    public int tipCount() {
        return taxa.size();
    }

    /** Number of tips and inner nodes. */
    public int nodeCount() {
        return nodeCount;
    }

    /** Number of inner nodes, which are numbered behind the tips. */
    public int innerCount() {
        return nodeCount - taxa.size();
    }

    /** Number of branches, one less than nodes. */
    public int branchCount() {
        return lengths.length;
    }

    /** Whether a node is a tip; its number is then that of its taxon. */
    public boolean isTip(int node) {
        return node < taxa.size();
    }

    /** One end of a branch. */
    public int firstEnd(int branch) {
        return ends[2 * branch];
    }

    /** The end of a branch that isn't {@code node}, which must be one of its ends. */
    public int otherEnd(int branch, int node) {
        return ends[2 * branch] ^ ends[2 * branch + 1] ^ node;
    }

    /** Number of branches at a node. */
    public int degree(int node) {
        return firstIncident[node + 1] - firstIncident[node];
    }

    /** One of the branches at a node, {@code 0 <= index < degree(node)}. */
    public int branchAt(int node, int index) {
        return incident[firstIncident[node] + index];
    }

    /** Length of a branch in expected substitutions per site. */
    public double length(int branch) {
        return lengths[branch];
    }

    /** Lengths of all branches: a copy. */
    public double[] lengths() {
        return lengths.clone();
    }

    /**
     * The same tree with its tips numbered as the rows of an alignment.
     *
     * @param alignmentTaxa names of the rows
     * @throws InvalidInputException when the names differ: the message has those that are only in one of the two
     */
    public Tree alignedTo(List<String> alignmentTaxa) {
        Map<String, Integer> rowOfTaxon = new HashMap<>();
        for (String taxon : alignmentTaxa) {
            rowOfTaxon.put(taxon, rowOfTaxon.size());
        }
        int[] newNode = new int[nodeCount];
        List<String> onlyInTree = new ArrayList<>();
        for (int node = 0; node < nodeCount; node++) {
            Integer row = isTip(node) ? rowOfTaxon.remove(taxa.get(node)) : Integer.valueOf(node);
            if (row == null) {
                onlyInTree.add(taxa.get(node));
            } else {
                newNode[node] = row;
            }
        }
        List<String> onlyInAlignment = new ArrayList<>(alignmentTaxa);
        onlyInAlignment.retainAll(rowOfTaxon.keySet());
        checkSameTaxa(onlyInTree, onlyInAlignment);
        int[] newEnds = new int[ends.length];
        for (int index = 0; index < ends.length; index++) {
            newEnds[index] = newNode[ends[index]];
        }
        return new Tree(alignmentTaxa, nodeCount, newEnds, lengths);
    }

    private static void checkSameTaxa(List<String> onlyInTree, List<String> onlyInAlignment) {
        if (!onlyInTree.isEmpty() || !onlyInAlignment.isEmpty()) {
            List<String> differences = new ArrayList<>();
            if (!onlyInTree.isEmpty()) {
                differences.add("only in the tree: " + listed(onlyInTree));
            }
            if (!onlyInAlignment.isEmpty()) {
                differences.add("only in the alignment: " + listed(onlyInAlignment));
            }
            throw new InvalidInputException(
                    "tree and alignment must have the same taxa; " + String.join("; ", differences));
        }
    }

    private static String listed(List<String> names) {
        int shown = Math.min(names.size(), 10);
        String list = "'" + String.join("', '", names.subList(0, shown)) + "'";
        return shown == names.size() ? list : list + " and " + (names.size() - shown) + " more";
    }
}

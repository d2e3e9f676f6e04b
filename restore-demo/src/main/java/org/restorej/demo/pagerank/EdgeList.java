package org.restorej.demo.pagerank;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.objects.Object2IntOpenHashMap;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.restorej.block.BlockRanges;
import org.restorej.cli.command.InputText;
import org.restorej.cli.command.InvalidInputException;

/**
 * A graph from a text with an edge on each line: two names of vertices with blanks between. Lines that are empty or
 * begin with {@code #} or {@code %} are left out. Vertices count in the order in which they are first named.
 */
public final class EdgeList implements Graph {
    private final String source;
    private final Object2IntOpenHashMap<String> numbers = new Object2IntOpenHashMap<>();
    private final List<String> names = new ArrayList<>();
    private final IntArrayList ends = new IntArrayList();

    private EdgeList(String source) {
        this.source = source;
        numbers.defaultReturnValue(-1);
    }

    /**
     * Parses a graph.
     *
     * @throws InvalidInputException when a line is something else, saying which, or when there is no edge
     */
    public static EdgeList parse(InputText text) {
        EdgeList graph = new EdgeList(text.source());
        int lineNumber = 0;
        for (Iterator<String> lines = text.content().lines().iterator(); lines.hasNext();) {
            lineNumber++;
            String line = lines.next().strip();
            if (!line.isEmpty() && line.charAt(0) != '#' && line.charAt(0) != '%') {
                graph.add(line, lineNumber);
            }
        }
        if (graph.ends.isEmpty()) {
            throw new InvalidInputException(text.source() + ": the graph must have an edge");
        }
        return graph;
    }

    private void add(String line, int lineNumber) {
        String[] words = line.split("\\s+", -1);
        if (words.length != 2) {
            throw InvalidInputException.at(source, lineNumber,
                    "an edge must be two names of vertices, found " + words.length + ": " + line);
        }
        for (String name : words) {
            int number = numbers.getInt(name);
            if (number < 0) {
                number = names.size();
                names.add(name);
                numbers.put(name, number);
            }
            ends.add(number);
        }
    }

    @Override
    public int vertexCount() {
        return names.size();
    }

    @Override
    public long edgeCount() {
        return ends.size() / 2;
    }

    @Override
    public int[] edges(BlockRanges wanted) {
        int[] edges = new int[Math.toIntExact(2 * wanted.blockCount())];
        int done = 0;
        for (int run = 0; run < wanted.runCount(); run++) {
            int length = Math.toIntExact(2 * (wanted.runEnd(run) - wanted.runFirst(run)));
            ends.getElements(Math.toIntExact(2 * wanted.runFirst(run)), edges, done, length);
            done += length;
        }
        return edges;
    }

    @Override
    public String name(int vertex) {
        return names.get(vertex);
    }

    @Override
    public String description() {
        return source;
    }
}

package org.restorej.demo.pagerank;

import org.restorej.cli.command.InputText;

/**
 * The graph with eleven vertices of Wikipedia's article on PageRank, whose exact ranks for a damping of 0.85 are given
 * with its picture (https://en.wikipedia.org/wiki/File:PageRanks-Example.svg). A has no outgoing edge.
 */
final class KnownGraph {
    static final String TEXT = """
            # Wikipedia, PageRanks-Example
            B C
            C B
            D A
            D B
            E B
            E D
            E F
            F B
            F E
            G B
            G E
            H B
            H E
            I B
            I E
            J E
            K E
            """;

    private KnownGraph() {}

    static EdgeList graph() {
        return EdgeList.parse(new InputText("known graph", TEXT));
    }

    static double rank(String name) {
        return switch (name) {
            case "A" -> 19_002_201;
            case "B" -> 222_822_800;
            case "C" -> 198_772_220;
            case "D", "F" -> 22_657_320;
            case "E" -> 46_886_400;
            default -> 9_372_840;
        } / 579_662_461.0;
    }
}

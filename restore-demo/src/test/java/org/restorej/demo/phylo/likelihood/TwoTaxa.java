package org.restorej.demo.phylo.likelihood;

import java.util.List;
import java.lang.foreign.MemorySegment;
import org.restorej.cli.command.InputText;
import org.restorej.demo.phylo.alignment.AlignmentReader;
import org.restorej.demo.phylo.alignment.PatternLayout;
import org.restorej.demo.phylo.alignment.SitePatterns;
import org.restorej.demo.phylo.model.Model;
import org.restorej.demo.phylo.tree.NewickParser;
import org.restorej.demo.phylo.tree.Tree;

/** Two sequences and the branch between them, for which likelihoods can be written down. */
public final class TwoTaxa {
    private TwoTaxa() {}

    public static Tree tree(double length) {
        return NewickParser.parse(new InputText("tree", "(a:" + length + ",b:0);"));
    }

    public static Likelihood likelihood(String first, String second, double length, Model model) {
        SitePatterns patterns = SitePatterns
                .of(AlignmentReader.parse(new InputText("alignment", ">a\n" + first + "\n>b\n" + second + "\n"),
                        List.of()));
        PatternLayout layout = new PatternLayout(2);
        MemorySegment blocks = MemorySegment.ofArray(new byte[layout.blockSizeBytes() * patterns.count()]);
        layout.write(patterns, 0, blocks);
        Likelihood likelihood = new Likelihood(tree(length), model);
        likelihood.append(blocks);
        return likelihood;
    }
}

package org.restorej.demo.phylo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.restorej.cli.command.InputText;
import org.restorej.demo.phylo.alignment.Alignment;
import org.restorej.demo.phylo.alignment.AlignmentReader;
import org.restorej.demo.phylo.alignment.PatternLayout;
import org.restorej.demo.phylo.alignment.SitePatterns;
import org.restorej.demo.phylo.model.Model;
import org.restorej.demo.phylo.model.ModelParser;
import org.restorej.demo.phylo.tree.NewickParser;
import org.restorej.demo.phylo.tree.Tree;

/** The alignment and tree that IQ-TREE's answers are known for. */
public final class Primates {
    public static final String GTR_GAMMA = "GTR{6.3118,39.3022,4.0605,2.1904,42.4382}"
            + "+F{0.3241,0.3040,0.1055,0.2664}+G4{0.4333}";

    private Primates() {}

    public static Alignment alignment() {
        return AlignmentReader.parse(resource("primates.phy"), List.of());
    }

    public static Tree tree() {
        return NewickParser.parse(resource("primates.nwk")).alignedTo(alignment().taxa());
    }

    public static Model model(String text) {
        return ModelParser.parse(text).resolve(alignment().stateFrequencies());
    }

    public static MemorySegment blocks(int repeat) {
        SitePatterns patterns = SitePatterns.of(alignment());
        PatternLayout layout = new PatternLayout(patterns.taxonCount());
        MemorySegment blocks = MemorySegment
                .ofArray(new byte[layout.blockSizeBytes() * patterns.count() * repeat]);
        layout.write(patterns, 0, blocks);
        return blocks;
    }

    /** Throws unless a file has IQ-TREE's log-likelihood of each site. */
    public static void requireSiteLogLikelihoods(String name, Path values) throws IOException {
        List<String> lines = Files.readAllLines(values);
        requireSiteLogLikelihoods(name, lines.size(), site -> Double.parseDouble(lines.get(site)));
    }

    /**
     * Throws unless some sites, the alignment once or several times over, have IQ-TREE's log-likelihoods. Six
     * significant digits are printed: half a unit of the last is allowed, and a little for rounding at a tie.
     */
    public static void requireSiteLogLikelihoods(String name, int sites, IntToDoubleFunction ofSite) {
        double[] expected = resource(name).content().lines().mapToDouble(Double::parseDouble).toArray();
        assertEquals(0, sites % expected.length, "sites " + sites);
        for (int site = 0; site < sites; site++) {
            double answer = expected[site % expected.length];
            double lastDigit = Math.pow(10, Math.floor(Math.log10(Math.abs(answer))) - 5);
            assertEquals(answer, ofSite.applyAsDouble(site), 0.55 * lastDigit, "site " + site);
        }
    }

    private static InputText resource(String name) {
        try (InputStream stream = Primates.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("no resource: name=" + name);
            }
            return new InputText(name, new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}

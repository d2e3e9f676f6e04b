package org.restorej.demo.phylo.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.cli.command.InputText;
import org.restorej.cli.command.InvalidInputException;
import org.restorej.demo.phylo.Primates;

class NewickParserTest {
    private static Tree parse(String text) {
        return NewickParser.parse(new InputText("in", text));
    }

    private static void assertRejected(String message, String text) {
        assertEquals(message, assertThrows(InvalidInputException.class, () -> parse(text)).getMessage());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
            // unrooted, as it is
            "(a:1,b:2,c:3); | (a:1.0,b:2.0,c:3.0);",
            "(a:1,b:2,(c:3,d:4):5); | (a:1.0,b:2.0,(c:3.0,d:4.0):5.0);",
            // a root of two branches goes, either way round
            "((a:1,b:2):3,c:4); | (a:1.0,b:2.0,c:7.0);", "(c:4,(a:1,b:2):3); | (a:1.0,b:2.0,c:7.0);",
            "((a:1,b:2):3,(c:4,d:5):6):7; | (a:1.0,b:2.0,(c:4.0,d:5.0):9.0);", "(a:1,b:2); | (a:0.0,b:3.0);",
            // single children go
            "(((a:1):2,b:3,c:4):5); | (a:3.0,b:3.0,c:4.0);",
            "(((a:1,b:2):3):4,c:5,((d:6):7):8); | (a:1.0,b:2.0,(c:5.0,d:21.0):7.0);",
            "((((a:1,b:2):3):4,((c:5):6):7):8); | (a:1.0,b:2.0,c:25.0);",
            // parentheses around a whole tree or clade need no length
            "((a:1,b:2,c:3)); | (a:1.0,b:2.0,c:3.0);",
            "(((a:1,b:2,((c:3,d:1)):4)):7); | (a:1.0,b:2.0,(c:3.0,d:1.0):4.0);",
            "\uFEFF(a:1,b:2,c:3); | (a:1.0,b:2.0,c:3.0);", "(a:1e6,b:2,c:3); | (a:1000000.0,b:2.0,c:3.0);",
            // polytomies stay
            "(a:1,b:2,c:3,(d:4,e:5,f:6):7); | (a:1.0,b:2.0,c:3.0,(d:4.0,e:5.0,f:6.0):7.0);",
            // notation
            "[first](a[x[y]z]:1e-3 , b : +.5 ,\tc:2.E+1)root:9[&R] ; | (a:0.001,b:0.5,c:20.0);",
            "('a b':1,'it''s':2,(c_d:3,'e(,)':4)inner:0)[100]; | ('a b':1.0,'it''s':2.0,(c_d:3.0,'e(,)':4.0):0.0);",
            "(a:1,b:2,(c:3,d:4)'in ner':5); | (a:1.0,b:2.0,(c:3.0,d:4.0):5.0);"})
    void readsAndWritesUnrootedTrees(String text, String expected) {
        assertEquals(expected, NewickWriter.write(parse(text)));
    }

    @Test
    void numbersNodesAndBranchesConsistently() {
        Tree tree = Primates.tree();
        assertEquals(12, tree.tipCount());
        assertEquals(22, tree.nodeCount());
        assertEquals(21, tree.branchCount());
        for (int node = 0; node < tree.nodeCount(); node++) {
            assertEquals(tree.isTip(node) ? 1 : 3, tree.degree(node), "node " + node);
            for (int index = 0; index < tree.degree(node); index++) {
                int branch = tree.branchAt(node, index);
                assertEquals(node, tree.otherEnd(branch, tree.otherEnd(branch, node)));
            }
        }
        assertEquals(0.3289, tree.length(tree.branchAt(tree.taxa().indexOf("Lemur_catta"), 0)));
    }

    @Test
    void readsTreesOfAnyDepth() {
        int taxa = 10_000;
        StringBuilder text = new StringBuilder("(".repeat(taxa - 1)).append("t0:1");
        for (int taxon = 1; taxon < taxa; taxon++) {
            text.append(",t").append(taxon).append(":1)").append(taxon < taxa - 1 ? ":1" : ";");
        }
        Tree tree = parse(text.toString());
        assertEquals(taxa, tree.tipCount());
        assertEquals(2 * taxa - 3, tree.branchCount());
        assertEquals(tree.branchCount() + 1.0, Arrays.stream(tree.lengths()).sum());
        assertEquals(taxa, parse(NewickWriter.write(tree)).tipCount());
    }

    @Test
    void takesADefaultForMissingLengthsWhenAskedTo() {
        Tree tree = NewickParser.parse(new InputText("in", "(a,b:2,(c,d));"), 0.1);
        assertEquals("(a:0.1,b:2.0,(c:0.1,d:0.1):0.1);", NewickWriter.write(tree));
    }

    @Test
    void numbersTipsAsTheAlignmentDoes() {
        Tree tree = parse("(a:1,b:2,c:3);").alignedTo(List.of("c", "a", "b"));
        assertEquals(List.of("c", "a", "b"), tree.taxa());
        assertEquals(3, tree.length(tree.branchAt(0, 0)));
        assertEquals("(a:1.0,b:2.0,c:3.0);", NewickWriter.write(tree.alignedTo(List.of("a", "b", "c"))));
        assertArrayEquals(new double[]{1, 2, 3}, tree.lengths());
    }

    @Test
    void namesTaxaThatDiffer() {
        Tree tree = parse("(a:1,b:2,c:3);");
        assertEquals(
                "tree and alignment must have the same taxa; only in the tree: 'b', 'c'; only in the alignment: 'x'",
                assertThrows(InvalidInputException.class, () -> tree.alignedTo(List.of("a", "x"))).getMessage());
        assertEquals("tree and alignment must have the same taxa; only in the alignment: 'd'", assertThrows(
                InvalidInputException.class, () -> tree.alignedTo(List.of("d", "a", "b", "c"))).getMessage());
        List<String> many = IntStream.range(0, 14).mapToObj(Integer::toString).toList();
        assertEquals(
                "tree and alignment must have the same taxa; only in the tree: 'a', 'b', 'c'; only in the alignment: "
                        + "'0', '1', '2', '3', '4', '5', '6', '7', '8', '9' and 4 more",
                assertThrows(InvalidInputException.class, () -> tree.alignedTo(many)).getMessage());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {"1:3: the tree is empty | []",
            "1:1: the tree is empty | \"\"",
            "1:12: the branch to 'c' has no length | (a:1,b:2,(c,d:1):2);",
            "1:19: the branch to the inner node that ends here has no length | (a:1,b:2,(c:1,d:1));",
            "1:4: a branch length must be a number: 'x' | (a:x,b:1);",
            "1:4: a branch length must be a number: '' | (a:,b:1);",
            "1:4: a branch length must be a number: 'NaN' | (a:NaN,b:1);",
            "1:4: a branch length must be in 0..1,000,000 expected substitutions per site: '-1' | (a:-1,b:1);",
            "1:4: a branch length must be in 0..1,000,000 expected substitutions per site: '1000001' | (a:1000001,b:1);",
            "1:4: a branch length must be in 0..1,000,000 expected substitutions per site: '1e999' | (a:1e999,b:1);",
            "1:11: the branch to the inner node that ends here has no length | ((a:1,b:1),c:1);",
            "1:1: this is a NEXUS file, which isn't read: write the tree in Newick, as it stands behind '=' in the "
                    + "line that begins with 'tree' | #NEXUS begin trees;",
            "1:9: expected ',' or ')', found the end | (a:1,b:1 ", "1:10: expected ';', found the end | (a:1,b:1)",
            "1:9: expected ',' or ')', found ';' | (a:1,b:1;", "1:10: ')' without '(' | (a:1,b:1));",
            "1:10: expected ';', found ',' | (a:1,b:1),c:1;",
            "1:6: expected the name of a taxon or '(', found ',' | (a:1,,b:1);",
            "1:2: expected the name of a taxon or '(', found ')' | ();",
            "1:6: taxon 'a' is in the tree twice | (a:1,a:1);",
            "1:12: only one tree is expected, and something follows its ';' | (a:1,b:1); (a:1,b:1);",
            "1:1: a tree must have at least 2 taxa: taxa=1 | (a:1);",
            "1:2: the comment that begins here has no ']' | ([a:1,b:1);",
            "1:2: the quoted name that begins here has no closing quote | ('a:1,b:1);",
            "1:6: expected ',' or ')', found 'b' | (a:1 b:1);"})
    void saysWhereATreeIsWrong(String message, String text) {
        assertRejected("in:" + message, text);
    }

    @Test
    void countsLines() {
        assertRejected("in:3:3: a branch length must be a number: 'z'", "(a:1,\nb:1,\nc:z);");
    }
}

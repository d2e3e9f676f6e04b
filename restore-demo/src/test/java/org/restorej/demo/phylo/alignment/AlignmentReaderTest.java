package org.restorej.demo.phylo.alignment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.cli.command.InputText;
import org.restorej.cli.command.InvalidInputException;
import org.restorej.demo.phylo.Primates;

class AlignmentReaderTest {
    private static final List<String> TAXA = List.of("ape", "bat");
    private static final byte[] APE = {1, 2, 4, 8, 1, 2, 4, 8};
    private static final byte[] BAT = {1, 1, 1, 1, 2, 2, 2, 2};

    private static Alignment parse(String text) {
        return parse(text, TAXA);
    }

    private static Alignment parse(String text, List<String> taxaOfTree) {
        return AlignmentReader.parse(new InputText("in", text), taxaOfTree);
    }

    private static byte[] row(Alignment alignment, int taxon) {
        byte[] row = new byte[alignment.siteCount()];
        for (int site = 0; site < row.length; site++) {
            row[site] = alignment.mask(taxon, site);
        }
        return row;
    }

    private static void assertRejected(String message, String text) {
        assertEquals(message, assertThrows(InvalidInputException.class, () -> parse(text)).getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {
            // one line a row
            "2 8\nape ACGTACGT\nbat AAAACCCC\n", "  2\t8  \n\n ape\tACGT ACGT\r\nbat   A AAA C CCC", //
            "2 8\nape acgtacgt\nbat aaaacccc", "2 8\nape acguACGU\nbat aaaacccc",
            // sequential over lines
            "2 8\nape ACGT\nACGT\nbat AAAA\nCCCC\n", "2 8\nape\nACGTACGT\nbat\nAAAACCCC\n",
            "2 8\nape ACG TAC\nGT\nbat AA\nAA\nCC\nCC\n",
            // interleaved
            "2 8\nape ACGT\nbat AAAA\n\nACGT\nCCCC\n", "\uFEFF2 8\nape ACGT\nbat AAAA\n\nACGT\nCCCC\n",
            // strict: names of ten characters
            "2 8\nape       ACGTACGT\nbat       AAAACCCC\n", "2 8\n ape      ACGT\n bat      AAAA\nACGT\nCCCC\n",
            "2 8\nape ACG\nbat AAA\n\nTAC\nACC\n\nGT\nCC\n",
            // FASTA
            ">ape a description\nACGTACGT\n>bat\nAAAACCCC\n", "\n> ape\nACGT\n\nACGT\n>bat\nAA AA\nCCC\nC"})
    void readsEveryFormat(String text) {
        Alignment alignment = parse(text);
        assertEquals(TAXA, alignment.taxa());
        assertArrayEquals(APE, row(alignment, 0));
        assertArrayEquals(BAT, row(alignment, 1));
    }

    @Test
    void readsIupacCodesInEitherCase() {
        Alignment alignment = parse(">a\nACGTURYSWKMBDHVN\n>b\nacgturyswkmbdhvn\n>c\n-?XxOo~-?NnACGTA\n");
        byte[] codes = {1, 2, 4, 8, 8, 1 | 4, 2 | 8, 2 | 4, 1 | 8, 4 | 8, 1 | 2, 2 | 4 | 8, 1 | 4 | 8, 1 | 2 | 8,
                1 | 2 | 4, 15};
        assertArrayEquals(codes, row(alignment, 0));
        assertArrayEquals(codes, row(alignment, 1));
        assertArrayEquals(new byte[]{15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 1, 2, 4, 8, 1}, row(alignment, 2));
    }

    @Test
    void countsTheFrequenciesThatIqTreeWasGiven() {
        double[] frequencies = Primates.alignment().stateFrequencies();
        assertArrayEquals(new double[]{0.3241, 0.3040, 0.1055, 0.2664}, frequencies, 1e-4);
    }

    @Test
    void splitsAmbiguousLettersInProportionAndIgnoresUnknownOnes() {
        // A : C = 3 : 1 without M, so that M changes nothing.
        double[] frequencies = parse(">a\nAAAC\n>b\n-MM?\n").stateFrequencies();
        assertArrayEquals(new double[]{0.75, 0.25, 0, 0}, frequencies, 1e-3);
    }

    @Test
    void namesUnknownCharactersWithLineAndColumn() {
        assertRejected("in:3:8: unknown character 'J' in the sequence of 'bat': expected A, C, G, T, U, an IUPAC code, "
                + "'-' or '?'", "2 4\nape ACGT\nbat ACGJ\n");
        assertRejected("in:4:2: unknown character '1' in the sequence of 'b': expected A, C, G, T, U, an IUPAC code, "
                + "'-' or '?'", ">a\nAC\n>b\nA1\n");
        assertRejected("in:3:5: unknown character 'é' in the sequence of 'bat': expected A, C, G, T, U, an IUPAC code, "
                + "'-' or '?'", "2 4\nape ACGT\nbat éCGT\n");
        assertRejected("in:5:1: unknown character 'Z' in the sequence of 'bat': expected A, C, G, T, U, an IUPAC code, "
                + "'-' or '?'", "2 6\nape ACG\nbat ACG\nTTT\nZTT\n");
    }

    @Test
    void refusesDotsSinceProgramsDisagreeOnThem() {
        assertRejected("in:4:2: '.' in the sequence of 'b' is 'as in the first row' to some programs and 'unknown' to "
                + "others: write the state, or '?'", ">a\nAC\n>b\nA.\n");
    }

    @Test
    void namesRowsOfUnequalLength() {
        assertRejected("in:3: the row of 'bat' has 3 sites, line 1 says 4", "2 4\nape ACGT\nbat ACG\n");
        assertRejected("in:2: the row of 'ape' has 5 sites, line 1 says 4", "2 4\nape ACGTA\nbat ACGT\n");
        assertRejected("in:3: rows must be of equal length: 'b' has 3 sites, 'a' has 2", ">a\nAC\n>b\nACG\n");
        assertRejected("in:5: rows must be of equal length: up to here 'bat' has 5 sites, 'ape' has 6",
                "2 6\nape ACG\nbat ACG\nTTT\nTT\n");
        assertRejected("in:1: no sequence follows the name 'a'", ">a\n>b\nACG\n");
    }

    @Test
    void namesTaxaThatAreThereTwice() {
        assertRejected("in:3: taxon 'ape' is there twice, first in line 2", "2 4\nape ACGT\nape ACGT\n");
        assertRejected("in:5: taxon 'a' is there twice, first in line 1", ">a\nAC\n>b\nAC\n>a\nAC\n");
    }

    @Test
    void comparesCountsWithTheHeader() {
        assertRejected("in:1: the line says 3 taxa, the file has 2", "3 4\nape ACGT\nbat ACGT\n");
        assertRejected("in:1: the line says 2 taxa, the file has 0", "2 4\n");
        assertRejected("in:4: more lines than the 2 taxa of 4 sites, as line 1 has them, can fill",
                "2 4\nape ACGT\nbat ACGT\ncat ACGT\n");
        assertRejected("in:1: the number of taxa must be a whole number of at least 2: '1'", "1 4\nape ACGT\n");
        assertRejected("in:1: the number of sites must be a whole number of at least 1: '0'", "2 0\nape\nbat\n");
        assertRejected("in:1: the number of taxa must be a whole number of at least 2: '99999999999'",
                "99999999999 4\n");
        assertRejected("in:1: a PHYLIP file must begin with the numbers of taxa and sites: '12'", "12\nape ACGT\n");
        assertRejected("in: an alignment must have at least 2 taxa: taxa=1", ">a\nACGT\n");
    }

    @Test
    void refusesWhatIsNoAlignment() {
        assertRejected("in: the alignment is empty", "");
        assertRejected("in: the alignment is empty", " \n\n");
        assertRejected("in:2:2: neither PHYLIP, which begins with two counts, nor FASTA, which begins with '>'",
                "\n CLUSTAL\n");
        assertRejected("in:2: this is a NEXUS file, which isn't read: save the alignment as PHYLIP or FASTA",
                "\n#nexus\nbegin data;\n");
        assertRejected("in:1: a name must follow '>'", ">\nACGT\n");
    }

    @Test
    void readsStrictNamesThatTouchTheirSequencesAndHaveBlanks() {
        Alignment alignment = parse("2 8\nHomo sapieACGTACGT\nPan paniscAAAACCCC\n");
        assertEquals(List.of("Homo sapie", "Pan panisc"), alignment.taxa());
        assertArrayEquals(APE, row(alignment, 0));
        assertArrayEquals(BAT, row(alignment, 1));
    }

    @Test
    void theTreeDecidesBetweenSequentialAndInterleaved() {
        String text = "2 9\nape ACG\nGAT ACG\nTAG ACG\nACGTTT\n";
        assertEquals(List.of("ape", "TAG"), parse(text, List.of("TAG", "ape")).taxa());
        assertEquals(List.of("ape", "GAT"), parse(text, List.of("ape", "GAT")).taxa());
        assertRejected("in:1: the file can be read in several ways, 0 of them with the taxa of the tree: interleaved "
                + "(taxa ape, GAT); sequential (taxa ape, TAG). Write each row on one line", text);
    }

    @Test
    void namesFilesThatCantBeRead(@TempDir Path folder) throws IOException {
        Path missing = folder.resolve("missing.phy");
        InvalidInputException error = assertThrows(InvalidInputException.class,
                () -> InputText.read("alignment", missing));
        assertEquals("alignment not found: " + missing, error.getMessage());
        Path binary = Files.write(folder.resolve("binary.phy"), new byte[]{(byte) 0xff, (byte) 0xfe, 0});
        error = assertThrows(InvalidInputException.class, () -> InputText.read("alignment", binary));
        assertEquals("alignment is not a text file: " + binary, error.getMessage());
        Path latin = Files.write(folder.resolve("latin.fa"),
                ">ape of Möhnesee\nAC\n>bat\nAG\n".getBytes(StandardCharsets.ISO_8859_1));
        assertEquals(TAXA, AlignmentReader.parse(InputText.read("alignment", latin), TAXA).taxa());
        Path marked = Files.writeString(folder.resolve("marked.fa"), "\uFEFF>ape\nAC\n>bat\nAG\n");
        assertEquals(TAXA, AlignmentReader.parse(InputText.read("alignment", marked), TAXA).taxa());
        error = assertThrows(InvalidInputException.class, () -> InputText.read("tree", folder));
        assertEquals("tree is a directory, not a file: " + folder, error.getMessage());
    }
}

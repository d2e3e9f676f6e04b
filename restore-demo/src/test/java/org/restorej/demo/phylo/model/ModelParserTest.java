package org.restorej.demo.phylo.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.cli.command.InvalidInputException;

class ModelParserTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"JC | 1 1 1 1 1 1", "jc | 1 1 1 1 1 1", "HKY{2} | 1 2 1 1 2 1",
            "hky{2e1} | 1 20 1 1 20 1", "HKY{.5} | 1 .5 1 1 .5 1", "GTR{1, 2, 3, 4, 5} | 1 2 3 4 5 1",
            "GTR{1/2/3/4/5/6} | 1 2 3 4 5 6"})
    void readsExchangeRates(String text, String rates) {
        List<Double> expected = List.of(rates.split(" ")).stream().map(Double::valueOf).toList();
        assertEquals(expected, ModelParser.parse(text).exchangeRates());
    }

    @Test
    void readsFrequencies() {
        List<Double> equal = List.of(0.25, 0.25, 0.25, 0.25);
        assertEquals(Optional.of(equal), ModelParser.parse("JC").frequencies());
        assertEquals(Optional.of(equal), ModelParser.parse("GTR{1,2,3,4,5}+FQ").frequencies());
        assertEquals(Optional.empty(), ModelParser.parse("HKY{2}").frequencies());
        assertEquals(Optional.empty(), ModelParser.parse("HKY{2}+F").frequencies());
        assertEquals(Optional.empty(), ModelParser.parse("JC+F").frequencies());
        assertEquals(Optional.of(List.of(0.125, 0.125, 0.25, 0.5)),
                ModelParser.parse("HKY{2}+F{0.125,0.125,0.25,0.5}").frequencies());
    }

    @Test
    void readsGammaRatesInAnyOrderWithFrequencies() {
        assertEquals(Optional.empty(), ModelParser.parse("JC").gammaCategories());
        ModelSpecification four = ModelParser.parse("HKY{2}+G{0.7}+F{0.1,0.2,0.3,0.4}");
        assertEquals(Optional.of(4), four.gammaCategories());
        assertEquals(OptionalDouble.of(0.7), four.alpha());
        assertFalse(four.lacksAlpha());
        ModelSpecification eight = ModelParser.parse("JC+G8");
        assertEquals(Optional.of(8), eight.gammaCategories());
        assertTrue(eight.lacksAlpha());
        assertEquals(OptionalDouble.of(1), eight.resolve(new double[4]).alpha());
    }

    @Test
    void givesAbsentStatesASmallFrequency() {
        Model model = ModelParser.parse("JC+F").resolve(new double[]{0.5, 0.5, 0, 0});
        assertEquals(1e-4 / 1.0002, model.substitution().frequency(3), 1e-12);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
            "XYZ | 1: expected JC, HKY{kappa} or GTR{AC,AG,AT,CG,CT[,GT]} with all parameters, found 'XYZ'; other "
                    + "models are GTR with some rates equal",
            "GTR{1,2,3}+F | 1: expected JC, HKY{kappa} or GTR{AC,AG,AT,CG,CT[,GT]} with all parameters, found "
                    + "'GTR{1,2,3}'; other models are GTR with some rates equal",
            "HKY+F | 1: expected JC, HKY{kappa} or GTR{AC,AG,AT,CG,CT[,GT]} with all parameters, found 'HKY'; other "
                    + "models are GTR with some rates equal",
            "HKY{2 | 4: '{' without '}'", "HKY{x} | 5: expected a number, found 'x'",
            "HKY{} | 5: expected a number, found ''", "GTR{1,2,,4,5} | 9: expected a number, found ''",
            "HKY{0} | 5: a parameter must be more than 0 and finite: '0'", "HKY{-1} | 5: expected a number, found '-1'",
            "HKY{1e999} | 5: a parameter must be more than 0 and finite: '1e999'",
            "JC+I{0.2} | 3: expected +F, +F{A,C,G,T}, +FQ, +G4 or +G4{alpha}, found '+I{0.2}'",
            "JC+R4 | 3: expected +F, +F{A,C,G,T}, +FQ, +G4 or +G4{alpha}, found '+R4'",
            "JC G4 | 3: expected +F, +F{A,C,G,T}, +FQ, +G4 or +G4{alpha}, found ' '",
            "JC+G0 | 3: the number of Gamma categories must be 1 to 64: '+G0'",
            "JC+G999999999 | 3: the number of Gamma categories must be 1 to 64: '+G999999999'",
            "JC+G9999999999 | 3: expected +F, +F{A,C,G,T}, +FQ, +G4 or +G4{alpha}, found '+G9999999999'",
            "JC+G4{1,2} | 3: expected +F, +F{A,C,G,T}, +FQ, +G4 or +G4{alpha}, found '+G4{1,2}'",
            "JC+G4{0.001} | 7: alpha must be 0.02 to 100.0: alpha=0.001", "JC+G4+G4 | 6: Gamma rates are given twice",
            "JC+F+FQ | 5: frequencies are given twice",
            "JC+F{0.1,0.2,0.3} | 3: expected +F, +F{A,C,G,T}, +FQ, +G4 or +G4{alpha}, found '+F{0.1,0.2,0.3}'",
            "JC+F{0.1,0.2,0.3,0.5} | 3: the four frequencies must have the sum 1: sum=1.1"})
    void saysWhereAModelIsWrong(String text, String message) {
        assertEquals("model '" + text + "', position " + message,
                assertThrows(InvalidInputException.class, () -> ModelParser.parse(text)).getMessage());
    }
}

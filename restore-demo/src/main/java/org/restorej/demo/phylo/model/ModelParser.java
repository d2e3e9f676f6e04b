package org.restorej.demo.phylo.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.restorej.cli.command.InvalidInputException;

/**
 * Reads models in IQ-TREE's notation: {@code JC}, {@code K80{kappa}}, {@code F81}, {@code HKY{kappa}},
 * {@code TN{AG,CT}}, {@code SYM{AC,AG,AT,CG,CT}}, {@code GTR{AC,AG,AT,CG,CT}}, each with {@code +F{A,C,G,T}} for given
 * frequencies, {@code +F} for those of the alignment, {@code +FQ} for equal ones, and {@code +G4{alpha}}, with any
 * number of categories, for Gamma rates. Numbers are separated by a comma or a slash. Without a word on frequencies,
 * F81, HKY, TN and GTR use those of the alignment, the others equal ones.
 */
public final class ModelParser {
    private static final Pattern NUMBER = Pattern.compile("(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");
    private static final int DEFAULT_CATEGORIES = 4;
    private static final int MAX_CATEGORIES = 64;
    /** Frequencies are often written with four digits, so that their sum is a little off. */
    private static final double SUM_TOLERANCE = 0.01;

    private final String text;
    private int offset;

    private boolean frequenciesGiven;
    private Optional<List<Double>> frequencies = Optional.empty();
    private Optional<Integer> categories = Optional.empty();
    private OptionalDouble alpha = OptionalDouble.empty();

    private ModelParser(String text) {
        this.text = text;
    }

    /**
     * Parses a model.
     *
     * @throws InvalidInputException when it isn't one, with the position, which counts from 1
     */
    public static ModelSpecification parse(String text) {
        return new ModelParser(text).parse();
    }

    private ModelSpecification parse() {
        String name = word();
        SubstitutionKind kind = SubstitutionKind.named(name).orElseThrow(() -> error(0,
                "expected one of " + Arrays.stream(SubstitutionKind.values()).map(SubstitutionKind::usage)
                        .collect(Collectors.joining(", ")) + (name.isEmpty() ? "" : ", found '" + name + "'")));
        List<Double> parameters = parameters();
        if (!kind.takes(parameters.size())) {
            throw error(name.length(), name + " must be written " + kind.usage() + ": it has " + parameters.size()
                    + " parameters, which aren't estimated");
        }
        while (offset < text.length()) {
            suffix();
        }
        if (!frequenciesGiven && !kind.unequalFrequencies()) {
            frequencies = Optional.of(equalFrequencies());
        }
        double[] rates = kind.exchangeRates(parameters.stream().mapToDouble(Double::doubleValue).toArray());
        return new ModelSpecification(text, Arrays.stream(rates).boxed().toList(), frequencies, categories, alpha);
    }

    private void suffix() {
        int begin = offset;
        if (text.charAt(offset) != '+') {
            throw error(offset, "expected '+' or the end, found '" + text.charAt(offset) + "'");
        }
        offset++;
        String word = word().toUpperCase(Locale.ROOT);
        if (word.equals("F") || word.equals("FQ")) {
            frequencies(begin, word);
        } else if (word.matches("G\\d*")) {
            gamma(begin, word);
        } else {
            throw error(begin, "expected +F, +F{A,C,G,T}, +FQ, +G4 or +G4{alpha}, found '+" + word + "'");
        }
    }

    private void frequencies(int begin, String word) {
        if (frequenciesGiven) {
            throw error(begin, "frequencies are given twice");
        }
        frequenciesGiven = true;
        List<Double> values = parameters();
        if (word.equals("FQ") && values.isEmpty()) {
            frequencies = Optional.of(equalFrequencies());
        } else if (word.equals("F") && values.size() == 4) {
            double sum = values.stream().mapToDouble(Double::doubleValue).sum();
            if (Math.abs(sum - 1) > SUM_TOLERANCE) {
                throw error(begin, "the four frequencies must have the sum 1: sum=" + sum);
            }
            frequencies = Optional.of(values.stream().map(value -> value / sum).toList());
        } else if (!word.equals("F") || !values.isEmpty()) {
            throw error(begin, "frequencies must be written +F{A,C,G,T}, +F (those of the alignment) or +FQ (equal)");
        }
    }

    private void gamma(int begin, String word) {
        if (categories.isPresent()) {
            throw error(begin, "Gamma rates are given twice");
        }
        int count = word.length() == 1
                ? DEFAULT_CATEGORIES
                : word.length() > 4 ? Integer.MAX_VALUE : Integer.parseInt(word.substring(1));
        if (count < 1 || count > MAX_CATEGORIES) {
            throw error(begin, "the number of Gamma categories must be 1 to " + MAX_CATEGORIES + ": '+" + word + "'");
        }
        categories = Optional.of(count);
        int parametersBegin = offset;
        List<Double> values = parameters();
        if (values.size() > 1) {
            throw error(parametersBegin, "Gamma rates have one parameter, alpha: +G4{alpha}");
        }
        if (!values.isEmpty()) {
            double value = values.getFirst();
            if (value < GammaRates.MIN_ALPHA || value > GammaRates.MAX_ALPHA) {
                throw error(parametersBegin + 1, "alpha must be " + GammaRates.MIN_ALPHA + " to "
                        + GammaRates.MAX_ALPHA + ": alpha=" + value);
            }
            alpha = OptionalDouble.of(value);
        }
    }

    private static List<Double> equalFrequencies() {
        return Collections.nCopies(4, 0.25);
    }

    private String word() {
        int begin = offset;
        while (offset < text.length() && Character.isLetterOrDigit(text.charAt(offset))) {
            offset++;
        }
        return text.substring(begin, offset);
    }

    /** Numbers in braces, or none. */
    private List<Double> parameters() {
        List<Double> values = new ArrayList<>();
        if (offset == text.length() || text.charAt(offset) != '{') {
            return values;
        }
        int open = offset;
        int close = text.indexOf('}', open);
        if (close < 0) {
            throw error(open, "'{' without '}'");
        }
        int begin = open + 1;
        for (String number : text.substring(begin, close).split("[,/]", -1)) {
            values.add(positiveNumber(begin, number.strip()));
            begin += number.length() + 1;
        }
        offset = close + 1;
        return values;
    }

    private double positiveNumber(int begin, String number) {
        if (!NUMBER.matcher(number).matches()) {
            throw error(begin, "expected a number, found '" + number + "'");
        }
        double value = Double.parseDouble(number);
        if (!(value > 0 && value < Double.MAX_VALUE)) {
            throw error(begin, "a parameter must be more than 0 and finite: '" + number + "'");
        }
        return value;
    }

    private InvalidInputException error(int at, String message) {
        return new InvalidInputException("model '" + text + "', position " + (at + 1) + ": " + message);
    }
}

package org.restorej.demo.phylo.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import org.restorej.cli.command.InvalidInputException;

/**
 * Reads models in IQ-TREE's notation: {@code JC}, {@code HKY{kappa}}, {@code GTR{AC,AG,AT,CG,CT}}, of which all other
 * models are special cases, each with {@code +F{A,C,G,T}} for given frequencies, {@code +F} for those of the alignment,
 * {@code +FQ} for equal ones, and {@code +G4{alpha}}, with any number of categories, for Gamma rates. Numbers are
 * separated by a comma or a slash. Without a word on frequencies, JC has equal ones, HKY and GTR those of the
 * alignment.
 */
public final class ModelParser {
    private static final Pattern NUMBER = Pattern.compile("(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");
    private static final List<Double> EQUAL_FREQUENCIES = Collections.nCopies(4, 0.25);
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
        List<Double> rates = exchangeRates(name, parameters());
        while (offset < text.length()) {
            suffix();
        }
        if (!frequenciesGiven && name.equals("JC")) {
            frequencies = Optional.of(EQUAL_FREQUENCIES);
        }
        return new ModelSpecification(rates, frequencies, categories, alpha);
    }

    /** Of A-C, A-G, A-T, C-G, C-T, G-T. */
    private List<Double> exchangeRates(String name, List<Double> parameters) {
        return switch (name + parameters.size()) {
            case "JC0" -> Collections.nCopies(6, 1.0);
            case "HKY1" -> List.of(1.0, parameters.getFirst(), 1.0, 1.0, parameters.getFirst(), 1.0);
            case "GTR5" -> {
                List<Double> rates = new ArrayList<>(parameters);
                rates.add(1.0);
                yield rates;
            }
            case "GTR6" -> parameters;
            default -> throw error(0, "expected JC, HKY{kappa} or GTR{AC,AG,AT,CG,CT[,GT]} with all parameters, found '"
                    + text.substring(0, offset) + "'; other models are GTR with some rates equal");
        };
    }

    private void suffix() {
        int begin = offset++;
        String word = text.charAt(begin) == '+' ? word() : "";
        int parametersBegin = offset;
        List<Double> values = parameters();
        if (word.equals("FQ") && values.isEmpty()) {
            setFrequencies(begin, Optional.of(EQUAL_FREQUENCIES));
        } else if (word.equals("F") && values.isEmpty()) {
            setFrequencies(begin, Optional.empty());
        } else if (word.equals("F") && values.size() == EQUAL_FREQUENCIES.size()) {
            setFrequencies(begin, Optional.of(normalised(begin, values)));
        } else if (word.matches("G\\d{0,9}") && values.size() <= 1) {
            setCategories(begin, word.substring(1));
            values.forEach(value -> setAlpha(parametersBegin + 1, value));
        } else {
            throw error(begin, "expected +F, +F{A,C,G,T}, +FQ, +G4 or +G4{alpha}, found '"
                    + text.substring(begin, offset) + "'");
        }
    }

    private void setFrequencies(int begin, Optional<List<Double>> values) {
        if (frequenciesGiven) {
            throw error(begin, "frequencies are given twice");
        }
        frequenciesGiven = true;
        frequencies = values;
    }

    private List<Double> normalised(int begin, List<Double> values) {
        double sum = values.stream().mapToDouble(Double::doubleValue).sum();
        if (Math.abs(sum - 1) > SUM_TOLERANCE) {
            throw error(begin, "the four frequencies must have the sum 1: sum=" + sum);
        }
        return values.stream().map(value -> value / sum).toList();
    }

    private void setCategories(int begin, String number) {
        if (categories.isPresent()) {
            throw error(begin, "Gamma rates are given twice");
        }
        int count = number.isEmpty() ? DEFAULT_CATEGORIES : Integer.parseInt(number);
        if (count < 1 || count > MAX_CATEGORIES) {
            throw error(begin,
                    "the number of Gamma categories must be 1 to " + MAX_CATEGORIES + ": '+G" + number + "'");
        }
        categories = Optional.of(count);
    }

    private void setAlpha(int begin, double value) {
        if (value < GammaRates.MIN_ALPHA || value > GammaRates.MAX_ALPHA) {
            throw error(begin, "alpha must be " + GammaRates.MIN_ALPHA + " to " + GammaRates.MAX_ALPHA + ": alpha="
                    + value);
        }
        alpha = OptionalDouble.of(value);
    }

    /** Letters and digits, in upper case. */
    private String word() {
        int begin = offset;
        while (offset < text.length() && Character.isLetterOrDigit(text.charAt(offset))) {
            offset++;
        }
        return text.substring(begin, offset).toUpperCase(Locale.ROOT);
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

package org.restorej.demo.phylo.model;

import java.util.Locale;
import java.util.Optional;

/** The named models: which of the six exchange rates are equal, and whether frequencies may differ. */
enum SubstitutionKind {
    JC("", 0, false), K80("kappa", 1, false), SYM("AC,AG,AT,CG,CT[,GT]", 5, false), F81("", 0, true), HKY("kappa", 1,
            true), TN("kappa of AG,kappa of CT", 2, true), GTR("AC,AG,AT,CG,CT[,GT]", 5, true);

    private final String parameters;
    private final int parameterCount;
    private final boolean unequalFrequencies;

    SubstitutionKind(String parameters, int parameterCount, boolean unequalFrequencies) {
        this.parameters = parameters;
        this.parameterCount = parameterCount;
        this.unequalFrequencies = unequalFrequencies;
    }

    /** The model of a name, other usual names included. */
    static Optional<SubstitutionKind> named(String name) {
        return Optional.ofNullable(switch (name.toUpperCase(Locale.ROOT)) {
            case "JC", "JC69" -> JC;
            case "K80", "K2P" -> K80;
            case "SYM" -> SYM;
            case "F81" -> F81;
            case "HKY", "HKY85" -> HKY;
            case "TN", "TN93", "TRN" -> TN;
            case "GTR" -> GTR;
            default -> null;
        });
    }

    /** How the model is written with its parameters. */
    String usage() {
        return parameterCount == 0 ? name() : name() + "{" + parameters + "}";
    }

    boolean takes(int count) {
        return count == parameterCount || (parameterCount == 5 && count == 6);
    }

    /** Whether frequencies are those of the alignment unless given; otherwise they are equal unless given. */
    boolean unequalFrequencies() {
        return unequalFrequencies;
    }

    /** Rates of A-C, A-G, A-T, C-G, C-T, G-T for parameters as many as it takes. */
    double[] exchangeRates(double[] values) {
        return switch (this) {
            case JC, F81 -> new double[]{1, 1, 1, 1, 1, 1};
            case K80, HKY -> new double[]{1, values[0], 1, 1, values[0], 1};
            case TN -> new double[]{1, values[0], 1, 1, values[1], 1};
            case SYM, GTR -> new double[]{values[0], values[1], values[2], values[3], values[4],
                    values.length == 6 ? values[5] : 1};
        };
    }
}

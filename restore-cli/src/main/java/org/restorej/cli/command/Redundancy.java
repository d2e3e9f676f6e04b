package org.restorej.cli.command;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.restorej.ReStoreBuilder;

/**
 * The redundancy of a store: K copies, or an erasure code of k data and m parity parts. For the risk of loss, copies
 * are a code with one data part.
 *
 * @param dataParts number k; 1 for copies
 * @param parityParts number of holders of a block range that may fail: m, or K - 1
 * @param isCoded whether it is a code
 */
public record Redundancy(int dataParts, int parityParts, boolean isCoded) {
    /** Number of non-zero elements of GF(2^8). */
    private static final int MAX_PARTS = 255;
    private static final Pattern CODE = Pattern.compile("([0-9]{1,9})\\+([0-9]{1,9})");

    /** K copies. */
    public static Redundancy copies(int replication) {
        return new Redundancy(1, replication - 1, false);
    }

    /**
     * Parses codes of the option {@code --coded}, such as {@code 8+2} or {@code 4+2,8+2}.
     *
     * @param text as given
     * @param peCount number of ranks P, the maximum number of parts; not positive if unknown
     * @param errors receives error messages
     * @return ordered by memory, without duplicates; empty if there is an error
     */
    public static List<Redundancy> codes(String text, int peCount, List<String> errors) {
        List<Redundancy> codes = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            Optional<Redundancy> code = code(part, peCount, errors);
            if (code.isEmpty()) {
                return List.of();
            }
            codes.add(code.get());
        }
        return codes.stream().distinct()
                .sorted(Comparator.comparingDouble(Redundancy::memoryFactor).thenComparingInt(Redundancy::dataParts))
                .toList();
    }

    /** Parses one code; see {@link #codes}. */
    public static Optional<Redundancy> code(String text, int peCount, List<String> errors) {
        Matcher matcher = CODE.matcher(text);
        String rule = "";
        if (!matcher.matches()) {
            rule = "must be numbers of data and parity parts, K+M as in 8+2";
        } else if (Integer.parseInt(matcher.group(1)) < 1) {
            rule = "must have at least 1 data part";
        } else if (Integer.parseInt(matcher.group(2)) < 1) {
            rule = "must have at least 1 parity part";
        } else if (Integer.parseInt(matcher.group(1)) + Integer.parseInt(matcher.group(2)) > MAX_PARTS) {
            rule = "must have at most " + MAX_PARTS + " parts together";
        } else if (peCount > 0 && Integer.parseInt(matcher.group(1)) + Integer.parseInt(matcher.group(2)) > peCount) {
            rule = "must have at most " + peCount + " parts together, the number of ranks";
        }
        if (!rule.isEmpty()) {
            errors.add("--coded " + rule + ": --coded=" + text);
            return Optional.empty();
        }
        return Optional
                .of(new Redundancy(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)), true));
    }

    /** Applies it to a store's settings. */
    public ReStoreBuilder of(ReStoreBuilder store) {
        return isCoded ? store.coded(dataParts, parityParts) : store.replication(parts());
    }

    /** Number of ranks that hold a part of a block range: k + m, or K. */
    public int parts() {
        return dataParts + parityParts;
    }

    /**
     * Memory in multiples of the data, {@code 1 + m / k}; also the amount that is sent when whole rows are submitted.
     */
    public double memoryFactor() {
        return (double) parts() / dataParts;
    }

    /** The value of the option: {@code 3}, or {@code 8+2}. */
    public String value() {
        return isCoded ? dataParts + "+" + parityParts : String.valueOf(parts());
    }

    /** Text for a sentence: {@code replication 3}, or {@code code 8+2}. */
    @Override
    public String toString() {
        return (isCoded ? "code " : "replication ") + value();
    }

    /** Text before "holders": those whose failure is a loss. */
    public String fatalHolders() {
        return isCoded ? "more than " + parityParts + " of " + parts() : "all " + parts();
    }

    /** Text after "each block": where it is stored. */
    public String onHowManyPes() {
        return isCoded
                ? String.format(Locale.ROOT, "coded %s, in parts on %d of them", value(), parts())
                : String.format(Locale.ROOT, "on %d of them", parts());
    }
}

package org.restorej.bench.model;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What a network takes.
 *
 * @param latencyMicros from one PE to another, of a short message
 * @param messageMicros more for each message of many that a PE sends or receives
 * @param megabytesPerSecond of a PE in one direction while all others send, too, in 10^6 bytes
 * @param barrierMicros of a barrier, for each doubling of the number of PEs
 * @param reductionMicros of a reduction of a few numbers, for each doubling
 * @param agreementMicros of an agreement, for each doubling
 */
public record NetworkTimes(double latencyMicros, double messageMicros, double megabytesPerSecond, double barrierMicros,
        double reductionMicros, double agreementMicros) {
    private static final String FORM = "latency=US,message=US,bandwidth=MB/s,barrier=US,reduction=US,agreement=US";

    /**
     * Reads what {@link #toString} gives.
     *
     * @throws IllegalArgumentException when it is something else
     */
    public static NetworkTimes parse(String text) {
        Map<String, Double> values = new LinkedHashMap<>();
        for (String part : text.split(",", -1)) {
            String[] words = part.split("=", 2);
            double value = words.length == 2 && words[1].matches("[0-9]{1,9}([.][0-9]{1,6})?")
                    ? Double.parseDouble(words[1])
                    : Double.NaN;
            if (!(value > 0) || values.put(words[0], value) != null) {
                throw new IllegalArgumentException("must be " + FORM + ", with numbers above 0, not '" + text + "'");
            }
        }
        if (!values.keySet().equals(ofName(0).keySet())) {
            throw new IllegalArgumentException("must be " + FORM + ", not '" + text + "'");
        }
        return new NetworkTimes(values.getOrDefault("latency", 0.0), values.getOrDefault("message", 0.0),
                values.getOrDefault("bandwidth", 0.0), values.getOrDefault("barrier", 0.0),
                values.getOrDefault("reduction", 0.0), values.getOrDefault("agreement", 0.0));
    }

    private static Map<String, Double> ofName(double value) {
        Map<String, Double> all = new LinkedHashMap<>();
        for (String part : FORM.split(",", -1)) {
            all.put(part.substring(0, part.indexOf('=')), value);
        }
        return all;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT,
                "latency=%.2f,message=%.2f,bandwidth=%.0f,barrier=%.2f,reduction=%.2f,agreement=%.2f", latencyMicros,
                messageMicros, megabytesPerSecond, barrierMicros, reductionMicros, agreementMicros);
    }
}

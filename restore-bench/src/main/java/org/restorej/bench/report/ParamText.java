package org.restorej.bench.report;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Parameters and their values for people. Pure. */
final class ParamText {
    private ParamText() {}

    /** Numbers as numbers, before words. */
    static int compare(String a, String b) {
        boolean numbers = isNumber(a) && isNumber(b);
        return numbers ? Double.compare(Double.parseDouble(a), Double.parseDouble(b)) : a.compareTo(b);
    }

    private static boolean isNumber(String value) {
        return value.matches("\\d+");
    }

    /** A value: of bytes, with a unit. */
    static String value(String param, String value) {
        return param.toLowerCase(Locale.ROOT).endsWith("bytes") && isNumber(value)
                ? Quantity.bytes(Long.parseLong(value))
                : value;
    }

    /** {@code bytes 16 MiB, pes 4}. */
    static String list(Map<String, String> params) {
        return params.entrySet().stream().map(each -> each.getKey() + " " + value(each.getKey(), each.getValue()))
                .collect(Collectors.joining(", "));
    }
}

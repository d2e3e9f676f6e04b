package org.restorej.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.cli.testing.CommandRun;

/** Numbers have the digits 0 to 9 and a point, whatever the user's locale has: programs read them. */
class UsersLocaleTest {
    private static final Pattern OTHER_DIGITS = Pattern.compile("[\\p{Nd}&&[^0-9]]|[0-9]\u066B[0-9]");

    private final Locale before = Locale.getDefault();

    @BeforeEach
    void hasItsOwnDigits() {
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        assertEquals("\u0661\u066B\u0665", String.format(Locale.getDefault(), "%.1f", 1.5));
    }

    @AfterEach
    void restore() {
        Locale.setDefault(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "plan --pes 96 --ranks-per-node 4 --bytes-per-pe 1MiB --mtbf-node 5y --hours 1.5 --coded 4+2",
            "simulate --pes 32 --replication 2 --trials 20 --failures 3", "demo --pes 4 --iterations 3 --fail 1@2",
            "demo --pes 4 --iterations 3 --fail 1@2,3@2 --replication 2", "demo phylo --pes 1 --mode optimize --json",
            "doctor", "demo --help", "plan --pes 0"})
    void noCommandUsesThem(String line) {
        CommandRun run = CommandRun.of(line);
        assertFalse(OTHER_DIGITS.matcher(run.output() + run.errors()).find(), () -> run.output() + run.errors());
    }
}

package org.restorej.demo.phylo.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.demo.phylo.likelihood.ModelState;

class RunOutcomeTest {
    @ParameterizedTest
    @CsvSource({"-5000, -5000, 0", "-5000, -5000.000000000001, 1", "-5000.000000000001, -5000, 1",
            "NaN, -5000, 1", "-5000, NaN, 1", "NaN, NaN, 1", "0, 0, 0"})
    void failsWhenTheResultDiffersInTheLastBitFromThatWithoutFailures(double result, double reference, int exitCode) {
        ModelState state = new ModelState(new double[]{0.1}, OptionalDouble.empty(), result);
        RunTrace nothing = new RunTrace(1, List.of(), null, List.of(), 0);
        RunOutcome outcome = new RunOutcome.Finished(nothing, 1, 1, true, state, reference, FailureSchedule.NONE, 0,
                0, Optional.empty());
        assertEquals(exitCode, outcome.exitCode());
    }
}

/**
 * Results of benchmarks as JMH writes them: merged, summarised, compared, fitted. Pure functions of JSON; knows neither
 * JMH nor the library.
 */
@NullMarked
package org.restorej.bench.result;

import org.jspecify.annotations.NullMarked;

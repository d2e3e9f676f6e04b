/**
 * Results of benchmarks as JMH writes them: merged, summarised, compared; and times that programs of whole jobs write.
 * Pure functions of files; knows neither JMH nor the library.
 */
@NullMarked
package org.restorej.bench.result;

import org.jspecify.annotations.NullMarked;

package org.restorej.bench.cli;

import org.restorej.cli.testing.CommandHelpContract;

/** Help and examples of the benchmarks. */
class BenchHelpTest extends CommandHelpContract {}

package org.restorej.bench.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.restorej.bench.c.CompiledRival;
import picocli.CommandLine.Option;

/** What is measured: options of the command, checked here. picocli fills it. */
final class BenchOptions {
    private static final List<Integer> SUITE_PES = List.of(2, 4, 8);
    private static final String SUITE_BYTES = "1MiB,4MiB,16MiB";
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,12})(B|KiB|MiB|GiB)?");
    private static final long MAX_BYTES = 1L << 40;
    private static final List<Integer> LIFE_PES = List.of(4, 8);
    private static final long LIFE_BYTES = 16 << 20;
    private static final int LIFE_TURNS = 60;
    private static final String EVERYTHING = ".*";
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    @Option(names = "--pes", paramLabel = "N,...",
            description = "Numbers of ranks (default: 2,4,8).")
    private @Nullable String pes;

    @Option(names = "--bytes", paramLabel = "SIZE,...", description = "Data of a rank, as in 1MiB (default: "
            + SUITE_BYTES + "). Multiples of 64 bytes.")
    private @Nullable String bytes;

    @Option(names = "--iterations", paramLabel = "N",
            description = "Measurements of each collective operation (default: 15); fewer than 12 also shorten the "
                    + "warm-up.")
    private @Nullable Integer iterations;

    @Option(names = "--only", paramLabel = "REGEX",
            description = "Only benchmarks in whose names this is found, as in Submit|Pull; with --life only such "
                    + "jobs, as in JobLife|FileLife.")
    private @Nullable String only;

    @Option(names = "--no-jvm", description = "Without the benchmarks of one JVM.")
    private boolean noJvm;

    @Option(names = "--life", paramLabel = "JOBS", arity = "0..1", fallbackValue = "3",
            description = "Instead of the suite, the life of a job: building a store, the first calls, calls 2 to 20 "
                    + "and later ones, protecting files of four times as many bytes, and what a loop pays for "
                    + "checkpoints, beside programs in plain Java; so many jobs of each kind (without a number: 3), on "
                    + "4 and 8 ranks with 16MiB and 60 calls unless --pes, --bytes or --iterations say otherwise.")
    private @Nullable Integer life;

    @Option(names = "--cpp", paramLabel = "DIR",
            description = "With --life, also the C++ library ReStore, interleaved in the same run: DIR has its header "
                    + "restore/core.hpp. A program is compiled with it by Open MPI's mpicxx, which looks for what "
                    + "the header includes of others (xxhash.h) in the folders of the variable CPATH, too. C++ "
                    + "ReStore is no part of this project: https://github.com/ReStoreCpp/ReStore.")
    private @Nullable Path cpp;

    @Option(names = "--redset", paramLabel = "PREFIX",
            description = "With --life, also LLNL's redset, interleaved in the same run: PREFIX is where it was installed, "
                    + "with KVTree and rankstr. A program is compiled with it by Open MPI's mpicc. redset is no part "
                    + "of this project: https://github.com/ECP-VeloC/redset.")
    private @Nullable Path redset;

    @Option(names = "--directory", paramLabel = "DIR",
            description = "Where benchmarks put their files: seen by all ranks (default: /dev/shm, in memory).")
    private @Nullable Path directory;

    @Option(names = "--one-rank-per-core",
            description = "Bind ranks to cores of their own: for clusters. Otherwise there may be more ranks than "
                    + "cores.")
    private boolean oneRankPerCore;

    BenchOptions() {}

    boolean jvm() {
        return !noJvm;
    }

    boolean oneRankPerCore() {
        return oneRankPerCore;
    }

    /** Where files go. */
    Path directory() {
        if (directory != null) {
            return directory;
        }
        return Files.isWritable(SHARED_MEMORY) ? SHARED_MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
    }

    /** Where what lies between goes: seen by all ranks. */
    Path directoryBetween() {
        return directory != null ? directory : Path.of(System.getProperty("java.io.tmpdir"));
    }

    /** What is chosen; of use only when no error was added. */
    SuiteSettings settings(List<String> errors) {
        List<Integer> ranks = SUITE_PES;
        if (pes != null) {
            ranks = numbers("--pes", pes, errors, BenchOptions::ranks).stream().map(Math::toIntExact).toList();
        }
        List<Long> sizes = numbers("--bytes", bytes == null ? SUITE_BYTES : bytes, errors,
                BenchOptions::size);
        if (iterations != null && iterations < 1) {
            errors.add("--iterations must be at least 1: --iterations=" + iterations);
        }
        if (directory != null && !Files.isDirectory(directory)) {
            errors.add("--directory is no directory: --directory=" + directory);
        }
        return new SuiteSettings(ranks, sizes,
                iterations == null ? OptionalInt.empty() : OptionalInt.of(iterations), only(errors));
    }

    /** What is chosen of the lives of jobs, when these are to be measured instead of the suite. */
    Optional<LifeSettings> life(SuiteSettings suite, List<String> errors) {
        if (life == null) {
            requireLife("--cpp", cpp, errors);
            requireLife("--redset", redset, errors);
            return Optional.empty();
        }
        requireHeader("--cpp", cpp, CompiledRival.CPP_RESTORE, errors);
        requireHeader("--redset", redset, CompiledRival.REDSET, errors);
        if (life < 1) {
            errors.add("--life must be at least 1: --life=" + life);
        }
        List<Integer> ranks = pes == null ? LIFE_PES : suite.pes();
        return Optional.of(new LifeSettings(life, ranks,
                bytes == null ? LIFE_BYTES : suite.mainBytes(), suite.iterations().orElse(LIFE_TURNS),
                Optional.ofNullable(cpp).map(Path::toAbsolutePath),
                Optional.ofNullable(redset).map(Path::toAbsolutePath), suite.only()));
    }

    private static void requireLife(String option, @Nullable Object given, List<String> errors) {
        if (given != null) {
            errors.add(option + " goes with --life only: " + option + "=" + given);
        }
    }

    private static void requireHeader(String option, @Nullable Path given, CompiledRival rival, List<String> errors) {
        if (given != null && !Files.isReadable(given.resolve(rival.header()))) {
            errors.add(option + " must be a folder that has " + rival.header() + ": " + option + "=" + given);
        }
    }

    private Pattern only(List<String> errors) {
        if (only != null && only.isEmpty()) {
            errors.add("--only must not be empty");
        }
        try {
            return Pattern.compile(only == null ? EVERYTHING : only);
        } catch (PatternSyntaxException wrong) {
            errors.add("--only is no regular expression (" + wrong.getDescription() + "): --only=" + only);
            return Pattern.compile(EVERYTHING);
        }
    }

    /** Numbers from a list with commas, ascending, each once. */
    private static List<Long> numbers(String option, String list, List<String> errors, ToLongFunction<String> parser) {
        List<Long> numbers = new ArrayList<>();
        for (String word : list.split(",", -1)) {
            try {
                numbers.add(parser.applyAsLong(word.strip()));
            } catch (IllegalArgumentException wrong) {
                errors.add(option + " " + wrong.getMessage() + ": " + option + "=" + list);
            }
        }
        long[] sorted = numbers.stream().mapToLong(Long::longValue).sorted().distinct().toArray();
        return Arrays.stream(sorted).boxed().toList();
    }

    private static long ranks(String word) {
        if (!word.matches("[1-9]\\d{0,6}")) {
            throw new IllegalArgumentException("must be numbers of ranks, at least 1, not '" + word + "'");
        }
        return Long.parseLong(word);
    }

    private static long size(String word) {
        Matcher matcher = SIZE.matcher(word);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("must be sizes as in 256KiB or 16MiB, not '" + word + "'");
        }
        String unit = matcher.group(2) == null ? "B" : matcher.group(2);
        int shift = 10 * List.of("B", "KiB", "MiB", "GiB").indexOf(unit);
        if (Long.parseLong(matcher.group(1)) > MAX_BYTES >> shift) {
            throw new IllegalArgumentException("must be at most 1024GiB, not '" + word + "'");
        }
        long bytes = Long.parseLong(matcher.group(1)) << shift;
        if (bytes < 64 || bytes % 64 != 0) {
            throw new IllegalArgumentException("must be multiples of 64 bytes, not '" + word + "'");
        }
        return bytes;
    }
}

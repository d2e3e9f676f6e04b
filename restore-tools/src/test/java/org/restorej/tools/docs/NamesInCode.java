package org.restorej.tools.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.restorej.comm.Collective;

/**
 * What the project's code has that a user may set or see: options, environment variables, system properties, exit
 * codes, collective calls. A name that ends in {@code *} stands for all that begin with the rest.
 */
final class NamesInCode {
    private static final Pattern VARIABLE = Pattern.compile("RESTOREJ_[A-Z_]+");
    /** As {@code "restorej.seed"}, {@code -Drestorej.seed} or, in a pom, {@code <name>!restorej.quick</name>}. */
    private static final Pattern PROPERTY = Pattern
            .compile("(?:\"|-D|<|>|>!)(restorej\\.[a-zA-Z.]+)(?=[^a-zA-Z.]|$)", Pattern.MULTILINE);
    /** Also of another name. */
    private static final Pattern PROPERTY_CONSTANT = Pattern.compile("String \\w*PROPERTY\\s*=\\s*\"([^\"]+)\"");
    private static final Pattern EXIT_CODE = Pattern.compile("public static final int (EXIT_CODE\\w*) = (\\d+);");

    private final List<Path> main;
    private final List<Path> all;

    /** Of a project. */
    NamesInCode(Path root) throws IOException {
        all = filesOf(root);
        main = all.stream().filter(file -> !root.relativize(file).toString().contains("/src/test/")).toList();
    }

    private static List<Path> filesOf(Path root) throws IOException {
        List<Path> places;
        try (Stream<Path> modules = Files.list(root)) {
            places = modules.filter(module -> module.getFileName().toString().startsWith("restore-"))
                    .flatMap(module -> Stream.of(module.resolve("src"), module.resolve("pom.xml"))).toList();
        }
        return Stream.of(places.stream(), Stream.of("bin", "tests/lib/test", ".ci", "pom.xml").map(root::resolve))
                .flatMap(paths -> paths).filter(Files::exists).flatMap(NamesInCode::filesBelow)
                .filter(file -> !file.toString().contains("/src/") || file.toString().endsWith(".java")).toList();
    }

    private static Stream<Path> filesBelow(Path place) {
        try (Stream<Path> files = Files.walk(place)) {
            return files.filter(Files::isRegularFile).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Those that the programs and scripts read. */
    Set<String> environmentVariables() throws IOException {
        return withoutCovered(found(VARIABLE, main).map(MatchResult::group));
    }

    /** Those that the programs, the tests and Maven read. */
    Set<String> systemProperties() throws IOException {
        return withoutCovered(Stream.concat(found(PROPERTY, all), found(PROPERTY_CONSTANT, main))
                .map(match -> match.group(1)));
    }

    /** Of programs under MPI, by the constant, as {@code Mpi.EXIT_CODE_LOSS}. */
    Set<String> exitCodeConstants() throws IOException {
        Set<String> constants = new TreeSet<>();
        for (Path file : main) {
            String type = file.getFileName().toString().replace(".java", "");
            found(EXIT_CODE, List.of(file))
                    .forEach(match -> constants.add(type + "." + match.group(1) + "=" + match.group(2)));
        }
        return constants;
    }

    /** Public methods that return the type itself: what a builder or a loop can be told. */
    static Set<String> optionsOf(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && method.getReturnType().equals(type))
                .map(Executable::getName).collect(Collectors.toCollection(TreeSet::new));
    }

    /** The names of the parameters of a type's longest public constructor. */
    Set<String> parametersOf(Class<?> type) throws IOException {
        Path source = main.stream().filter(file -> file.endsWith(type.getName().replace('.', '/') + ".java"))
                .findFirst().orElseThrow();
        return found(Pattern.compile("    public " + type.getSimpleName() + "\\(([^)]*)\\)"), List.of(source))
                .map(match -> Pattern.compile("(\\w+)\\s*(?:,|$)").matcher(match.group(1)).results()
                        .map(name -> name.group(1)).collect(Collectors.toCollection(TreeSet::new)))
                .max(Comparator.comparingInt(Set::size)).orElseThrow();
    }

    /** The methods that are marked as collective, by type; a constructor is called {@code new}. */
    Map<String, Set<String>> collectiveCalls() throws IOException, ClassNotFoundException {
        Map<String, Set<String>> calls = new TreeMap<>();
        for (Path file : main) {
            String path = file.toString();
            if (path.endsWith(".java") && Files.readString(file).contains("    @Collective\n")) {
                Class<?> type = Class.forName(path.substring(path.indexOf("/org/restorej/") + 1).replace(".java", "")
                        .replace('/', '.'));
                Set<String> names = Stream
                        .<Executable>concat(Arrays.stream(type.getMethods()), Arrays.stream(type.getConstructors()))
                        .filter(member -> member.isAnnotationPresent(Collective.class))
                        .map(member -> member.getName().equals(type.getName()) ? "new" : member.getName())
                        .collect(Collectors.toCollection(TreeSet::new));
                calls.put(type.getSimpleName(), names);
            }
        }
        return calls;
    }

    private static Stream<MatchResult> found(Pattern pattern, List<Path> files) throws IOException {
        Stream.Builder<MatchResult> matches = Stream.builder();
        for (Path file : files) {
            pattern.matcher(Files.readString(file)).results().forEach(matches);
        }
        return matches.build();
    }

    /** A name that ends in a separator is the beginning of others, which then needn't be named. */
    private static Set<String> withoutCovered(Stream<String> names) {
        Set<String> all = names.map(name -> name.matches(".*[._]") ? name + "*" : name)
                .collect(Collectors.toCollection(TreeSet::new));
        return all.stream().filter(name -> all.stream().noneMatch(other -> other.endsWith("*") && !other.equals(name)
                && name.startsWith(other.substring(0, other.length() - 1))))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}

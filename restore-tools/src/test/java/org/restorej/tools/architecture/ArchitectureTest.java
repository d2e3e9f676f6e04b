package org.restorej.tools.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.restorej.testing.ProjectFolder;

/** What ARCHITECTURE.md says of packages is so. */
class ArchitectureTest {
    /** Of messages and the store together, of which LoopStorage, Recovery and ToBeContinuedException were nested in others. */
    private static final int MAX_TYPES = 53;

    private static final String REDSET = "org.restorej.redset";
    private static final Pattern TESTS = Pattern.compile(".*(/test(-[a-z-]*classes)?/|-tests\\.jar).*");
    private static final Pattern EXPORT = Pattern.compile("exports ([a-z.]+);");
    private static final Set<String> ENTRY_TYPES = Set.of("ReStore", "ReStoreBuilder",
            "CheckpointLoop", "ReplicatedArray", "ReplicatedObjects", "ReplicatedStreams", "Programs", "Redset",
            "Datasets", "RangeCheckpoint", "ScrConfigurationParser");

    private static JavaClasses classes;
    private static PackageMap map;

    @BeforeAll
    static void readAll() throws IOException {
        Path root = ProjectFolder.root();
        map = PackageMap.read(root.resolve("ARCHITECTURE.md"));
        classes = new ClassFileImporter()
                .withImportOption(location -> !location.matches(TESTS))
                .importPackages("org.restorej")
                .that(JavaClass.Predicates.resideOutsideOfPackage("org.restorej.tools.."));
    }

    @Test
    void listsEveryPackageAndNoOther() {
        Set<String> there = classes.stream().map(JavaClass::getPackageName)
                .filter(name -> !name.endsWith(".jmh_generated")).collect(Collectors.toCollection(TreeSet::new));
        assertTrue(there.size() > 30, there::toString);
        assertEquals(String.join("\n", there), String.join("\n", new TreeSet<>(map.packages())));
    }

    @Test
    void arrowsGoDownward() {
        assertNone(dependencies(dependency -> {
            String user = dependency.getOriginClass().getPackageName();
            String used = dependency.getTargetClass().getPackageName();
            return map.contains(used) && !used.equals(user) && !map.isAbove(user, used)
                    && !usesValuesOf(user, used);
        }).map(ArchitectureTest::name));
    }

    @Test
    void whoUsesValuesOfAPackageAboveCallsNoEntryType() {
        assertNone(dependencies(dependency -> usesValuesOf(dependency.getOriginClass().getPackageName(),
                dependency.getTargetClass().getPackageName())
                && ENTRY_TYPES.contains(topLevel(dependency.getTargetClass()).getSimpleName()))
                .map(ArchitectureTest::name));
    }

    @Test
    void onlyTheTransportKnowsMpi() {
        Set<String> users = dependencies(dependency -> dependency.getTargetClass().getPackageName().equals("mpi"))
                .map(dependency -> dependency.getOriginClass().getPackageName())
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals("[org.restorej.comm.mpi, org.restorej.internal.mpi.bindings]", users.toString());
    }

    @Test
    void whatIsPromisedNamesNothingInternal() {
        assertNone(classes.stream().filter(type -> isPromised(type) && isVisible(type)).flatMap(type -> Stream.concat(
                internal(type, "extends", type.getRawInterfaces().stream(), type.getRawSuperclass().stream()),
                type.getMembers().stream().filter(ArchitectureTest::isVisible).flatMap(ArchitectureTest::internal))));
    }

    @Test
    void onlyEntryPointsOfRedsetKnowScr() {
        String scr = REDSET + ".internal.scr";
        Set<String> users = dependencies(dependency -> dependency.getTargetClass().getPackageName().equals(scr))
                .map(dependency -> dependency.getOriginClass().getPackageName())
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals("[org.restorej.cli.redset, " + REDSET + ", " + scr + "]", users.toString());
    }

    @Test
    void redsetPromisesAtMostTenTypes() throws IOException {
        Set<String> types = promisedBy("restore-redset");
        assertTrue(types.contains(REDSET + ".Redset") && types.size() <= 10, types::toString);
    }

    @Test
    void messagesAndStorePromiseFewTypes() throws IOException {
        Set<String> types = promisedBy("restore-comm", "restore-core");
        assertTrue(types.containsAll(Set.of("org.restorej.ReStore", "org.restorej.comm.Communicator"))
                && types.size() <= MAX_TYPES, () -> types.size() + ": " + types);
    }

    /** The public types of the packages that modules export to everybody, without those nested in them. */
    private static Set<String> promisedBy(String... modules) throws IOException {
        Set<String> packages = new TreeSet<>();
        for (String module : modules) {
            String declaration = Files.readString(
                    ProjectFolder.root().resolve(module).resolve("src/main/java/module-info.java"));
            EXPORT.matcher(declaration).results().forEach(export -> packages.add(export.group(1)));
        }
        return classes.stream().filter(type -> packages.contains(type.getPackageName()) && isVisible(type))
                .map(type -> topLevel(type).getName()).filter(name -> !name.endsWith("package-info"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean usesValuesOf(String user, String used) {
        return user.startsWith(REDSET + ".internal.") && used.equals(REDSET);
    }

    private static Stream<Dependency> dependencies(Predicate<Dependency> which) {
        return classes.stream().flatMap(type -> type.getDirectDependenciesFromSelf().stream()).filter(which);
    }

    private static void assertNone(Stream<String> found) {
        assertEquals("", found.distinct().sorted().collect(Collectors.joining("\n")));
    }

    private static String name(Dependency dependency) {
        return topLevel(dependency.getOriginClass()).getName() + " -> "
                + topLevel(dependency.getTargetClass()).getName();
    }

    private static JavaClass topLevel(JavaClass type) {
        return type.getEnclosingClass().map(ArchitectureTest::topLevel).orElse(type);
    }

    private static boolean isInternal(JavaClass type) {
        return type.getPackageName().contains(".internal");
    }

    /** Of the two libraries. */
    private static boolean isPromised(JavaClass type) {
        return map.contains(type.getPackageName()) && !isInternal(type)
                && Stream.of("bench", "demo", "cli", "training")
                        .noneMatch(name -> type.getPackageName().contains("." + name));
    }

    private static boolean isVisible(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(ArchitectureTest::isVisible).orElse(true);
    }

    private static boolean isVisible(JavaMember member) {
        return member.getModifiers().contains(JavaModifier.PUBLIC)
                || member.getModifiers().contains(JavaModifier.PROTECTED);
    }

    private static Stream<String> internal(JavaMember member) {
        if (member instanceof JavaCodeUnit code) {
            return internal(member, "names", Stream.concat(code.getRawParameterTypes().stream(),
                    code.getThrowsClause().getTypes().stream()), Stream.of(code.getRawReturnType()));
        }
        return internal(member, "names", Stream.empty(), member.getAllInvolvedRawTypes().stream());
    }

    private static Stream<String> internal(Object who, String does, Stream<JavaClass> first, Stream<JavaClass> second) {
        return Stream.concat(first, second).filter(ArchitectureTest::isInternal)
                .map(type -> who + " " + does + " " + type.getName());
    }
}

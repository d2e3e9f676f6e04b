package org.restorej;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Executable;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.restorej.comm.Collective;

/** All public methods and constructors of the libraries that are marked as {@link Collective}. */
final class CollectiveMethods {
    private CollectiveMethods() {}

    /** In a fixed order. */
    static List<Executable> all() {
        return Stream.of(Collective.class, ReStore.class).flatMap(type -> publicClassesBeside(type).stream())
                .flatMap(CollectiveMethods::members)
                .filter(member -> ((AnnotatedElement) member).isAnnotationPresent(Collective.class))
                .sorted(Comparator.comparing(CollectiveMethods::nameOf)).toList();
    }

    /** As in {@code ReStore.pull-BlockRanges-Arena}; may be part of a file's name. */
    static String nameOf(Executable member) {
        String own = member.getName().startsWith("org.") ? "new" : member.getName();
        return member.getDeclaringClass().getSimpleName() + '.' + own + Arrays.stream(member.getParameterTypes())
                .map(type -> '-' + type.getSimpleName().replace("[]", "s")).collect(Collectors.joining());
    }

    private static Stream<Executable> members(Class<?> type) {
        List<Executable> members = new ArrayList<>(List.of(type.getDeclaredMethods()));
        members.addAll(List.of(type.getDeclaredConstructors()));
        return members.stream()
                .filter(member -> Modifier.isPublic(member.getModifiers()) && !member.isSynthetic());
    }

    private static List<Class<?>> publicClassesBeside(Class<?> type) {
        try {
            Path root = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
            if (Files.isDirectory(root)) {
                return publicClasses(root);
            }
            // With an AOT cache, a jar.
            try (FileSystem jar = FileSystems.newFileSystem(root)) {
                return publicClasses(jar.getPath("/"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Class<?>> publicClasses(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root.resolve("org/restorej"))) {
            return files.map(file -> root.relativize(file).toString())
                    // The way into MPI and out of it is before and after all communicators.
                    .filter(file -> file.endsWith(".class") && !file.contains("internal") && !file.contains("-info")
                            && !file.contains("comm/mpi/"))
                    .<Class<?>>map(file -> load(file.replace('/', '.').replace(".class", "")))
                    .filter(type -> Modifier.isPublic(type.getModifiers())).toList();
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, ReStore.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}

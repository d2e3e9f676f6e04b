package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.restorej.comm.Collective;
import org.restorej.comm.Communicator;
import org.restorej.loop.CheckpointLoop;
import org.restorej.objects.ReplicatedObjects;
import org.restorej.objects.ReplicatedStreams;
import org.restorej.rows.ReplicatedArray;

/** {@link LoneRefusalPrograms} tries the methods that are marked: so the marks must be where they belong. */
class CollectiveMarksTest {
    private static final List<Path> SOURCES = Stream.of("../restore-comm", ".")
            .map(module -> Path.of(module, "src/main/java/org/restorej")).toList();

    /** Javadoc, annotations, and a declaration up to its parameters. */
    private static final Pattern DECLARATION = Pattern.compile(
            "/\\*\\*((?:(?!\\*/).)*)\\*/\\s*((?:@\\w+(?:\\([^)]*\\))?\\s*)*)((?:public |default |static |final )*[^;{}()=@]*\\()",
            Pattern.DOTALL);

    private static final Pattern SAYS = Pattern.compile("\\bCollective[.,;]|Called\\s+(\\*\\s+)?by\\s+(\\*\\s+)?all");

    /** Public methods of classes with collective ones that are local. Who adds a method decides where it belongs. */
    private static final Map<Class<?>, Set<String>> LOCAL = Map.of(
            Communicator.class, Set.of("rank", "size", "ranks", "originalRank", "iSend", "iSsend", "iReceive",
                    "awaitAll", "iProbe", "failureBehind", "revoke", "isRevoked", "failedRanks",
                    "survivesFailures", "close"),
            ReStore.class, Set.of("builder", "releaseSpareMemory", "close"),
            StagedSubmission.class, Set.of(),
            PendingOperation.class,
            Set.of("isDone", "submittedBytes", "totalBytes"),
            ReplicatedArray.class, Set.of("store", "count", "rowLength", "local", "constant", "close"),
            ReplicatedObjects.class, Set.of("store", "count", "local", "constant", "close"),
            ReplicatedStreams.class, Set.of("store", "count", "local", "close"),
            CheckpointLoop.class,
            Set.of("describe", "endBefore", "isComplete", "exceptionLimit", "incremental", "inBackground", "onRecovery",
                    "onBlocksChanged", "communicator",
                    "iteration", "blocks",
                    "rankOf", "close"));

    @Test
    void everyPublicMethodIsMarkedAsCollectiveOrKnownToBeLocal() {
        LOCAL.forEach((type, local) -> {
            Set<String> unmarked = new TreeSet<>();
            for (Method method : type.getDeclaredMethods()) {
                if (Modifier.isPublic(method.getModifiers()) && !method.isSynthetic()
                        && !method.isAnnotationPresent(Collective.class)) {
                    unmarked.add(method.getName());
                }
            }
            assertEquals(new TreeSet<>(local), unmarked, type.getSimpleName());
        });
        for (Executable marked : CollectiveMethods.all()) {
            Class<?> type = marked.getDeclaringClass();
            assertTrue(LOCAL.containsKey(type) || marked.getParameterCount() < 2,
                    () -> "the other public methods of " + type + " are to be told here");
        }
    }

    @Test
    void whateverIsDocumentedAsCollectiveIsMarked() throws IOException {
        List<String> unmarked = new ArrayList<>();
        int marked = 0;
        for (Path sources : SOURCES) {
            for (Path file : ofTheInterface(sources)) {
                String source = Files.readString(file);
                Matcher declarations = DECLARATION.matcher(source);
                while (declarations.find()) {
                    boolean isPublic = declarations.group(3).contains("public ")
                            || source.contains("public interface ");
                    if (isPublic && SAYS.matcher(declarations.group(1)).find()) {
                        if (declarations.group(2).contains("@Collective")) {
                            marked++;
                        } else {
                            unmarked.add(file.getFileName() + ": " + declarations.group(3));
                        }
                    }
                }
            }
        }
        assertEquals(List.of(), unmarked);
        assertTrue(marked > 30, "methods that are documented and marked: " + marked);
    }

    private static List<Path> ofTheInterface(Path sources) throws IOException {
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file -> isOfTheInterface(sources.relativize(file).toString())).toList();
        }
    }

    private static boolean isOfTheInterface(String name) {
        // The way into MPI is called before there are communicators.
        String folder = name.substring(0, Math.max(0, name.lastIndexOf(File.separatorChar)));
        return name.endsWith(".java") && Arrays
                .asList("", "loop", "objects", "rows", "comm", "comm" + File.separator + "collective").contains(folder)
                && !name.endsWith("AotTraining.java");
    }
}

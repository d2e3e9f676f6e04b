package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.restorej.comm.Collective;
import org.restorej.comm.Communicator;
import org.restorej.loop.CheckpointLoop;
import org.restorej.objects.ReplicatedObjects;
import org.restorej.objects.ReplicatedStreams;
import org.restorej.rows.ReplicatedArray;

/** {@link LoneRefusalPrograms} tries the methods that are marked: so the marks must be where they belong. */
class CollectiveMarksTest {
    /** Public methods of classes with collective ones that are local. Who adds a method decides where it belongs. */
    private static final Map<Class<?>, Set<String>> LOCAL = Map.of(
            Communicator.class, Set.of("rank", "size", "ranks", "originalRank", "iSend", "iSsend", "iReceive",
                    "awaitAll", "iProbe", "failureBehind", "revoke", "isRevoked", "failedRanks",
                    "survivesFailures", "close"),
            ReStore.class, Set.of("builder", "releaseSpareMemory", "close"),
            StagedSubmission.class, Set.of(),
            PendingOperation.class,
            Set.of("isDone"),
            ReplicatedArray.class, Set.of("store", "count", "rowLength", "local", "constant", "close"),
            ReplicatedObjects.class, Set.of("store", "count", "local", "constant", "close"),
            ReplicatedStreams.class, Set.of("store", "count", "local", "close"),
            CheckpointLoop.class,
            Set.of("describe", "endBefore", "isComplete", "exceptionLimit", "inBackground", "onRecovery",
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
}

package org.restorej.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NativeMemoryTest {
    private final long before = NativeMemory.openBytes();

    @Test
    void bytesCountAsLongAsTheirArenaIsOpen() {
        try (Arena shared = NativeMemory.openShared(); Arena confined = NativeMemory.openConfined()) {
            shared.allocate(1000, 8);
            assertEquals(1000, NativeMemory.openBytes() - before);
            confined.allocate(ValueLayout.JAVA_LONG, 3);
            assertEquals(1024, NativeMemory.openBytes() - before);
            MappedMemory.allocate(shared, 6 << 20);
            assertEquals(1024 + (6 << 20), NativeMemory.openBytes() - before);
        }
        assertEquals(before, NativeMemory.openBytes());
    }

    @Test
    void anArenaThatWasClosedIsNotClosedTwice() {
        Arena arena = NativeMemory.openShared();
        arena.close();
        assertThrows(IllegalStateException.class, arena::close);
        assertThrows(IllegalStateException.class, () -> arena.allocate(8));
        assertEquals(before, NativeMemory.openBytes());
    }

    @Test
    void aRunMayLeaveSomeOfWhatIsClosedToItsEnd() {
        NativeMemory run = new NativeMemory(150);
        run.with(() -> {
            Arena deferred = NativeMemory.openShared();
            MemorySegment memory = deferred.allocate(100);
            deferred.close();
            assertTrue(memory.scope().isAlive());
            assertThrows(IllegalStateException.class, deferred::close);
            assertThrows(IllegalStateException.class, () -> deferred.allocate(8));
            Arena tooMuch = NativeMemory.openShared();
            MemorySegment more = tooMuch.allocate(100);
            tooMuch.close();
            assertFalse(more.scope().isAlive());
        });
        assertEquals(100, NativeMemory.openBytes() - before);
        assertTrue(run.end());
        assertEquals(before, NativeMemory.openBytes());
    }

    @Test
    void theEndOfARunFreesWhatItsThreadsHaveLeftOpen() throws InterruptedException {
        NativeMemory run = new NativeMemory();
        List<MemorySegment> left = new ArrayList<>();
        run.with(() -> {
            left.add(NativeMemory.openShared().allocate(100));
            join(Thread.ofPlatform().start(() -> left.add(NativeMemory.openShared().allocate(20))));
            join(Thread.ofVirtual().start(
                    () -> left.add(MappedMemory.allocate(NativeMemory.openShared(), 6 << 20))));
        });
        assertEquals(120 + (6 << 20), NativeMemory.openBytes() - before);
        assertTrue(run.end());
        assertEquals(before, NativeMemory.openBytes());
        assertEquals(3, left.size());
        left.forEach(memory -> assertFalse(memory.scope().isAlive()));
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interruption) {
            throw new AssertionError(interruption);
        }
    }

    @Test
    void whatIsOpenedOutsideARunOutlivesIt() {
        NativeMemory run = new NativeMemory();
        run.with(() -> {});
        try (Arena arena = NativeMemory.openShared()) {
            run.end();
            assertTrue(arena.scope().isAlive());
        }
    }

    @Test
    void whoeverClosesAfterTheEndOfItsRunNeedNotKnowOfIt() {
        NativeMemory run = new NativeMemory();
        List<Arena> opened = new ArrayList<>();
        run.with(() -> opened.add(NativeMemory.openShared()));
        opened.getFirst().allocate(100);
        run.end();
        opened.getFirst().close();
        assertEquals(before, NativeMemory.openBytes());
    }

    @Test
    void nothingIsOpenedAfterTheEndOfARun() {
        NativeMemory run = new NativeMemory();
        run.end();
        run.with(() -> assertThrows(IllegalStateException.class, NativeMemory::openShared));
        NativeMemory.openShared().close();
    }

    /** The C library sorts memory, which keeps its arena open meanwhile; the run ends at the first comparison. */
    @Test
    void whatIsInUseAtTheEndOfARunIsFreedByTheNextCall() throws Throwable {
        NativeMemory run = new NativeMemory();
        List<Arena> opened = new ArrayList<>();
        run.with(() -> opened.add(NativeMemory.openShared()));
        MemorySegment numbers = opened.getFirst().allocate(ValueLayout.JAVA_LONG, 2);
        List<Boolean> all = new ArrayList<>();
        sort(numbers, () -> all.add(run.end()));
        assertEquals(List.of(false), all);
        assertEquals(16, NativeMemory.openBytes() - before);
        assertTrue(run.end());
        assertEquals(before, NativeMemory.openBytes());
    }

    private static void sort(MemorySegment twoNumbers, Runnable compared) throws Throwable {
        Linker linker = Linker.nativeLinker();
        MethodHandle sort = linker.downcallHandle(linker.defaultLookup().findOrThrow("qsort"),
                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG,
                        ValueLayout.ADDRESS));
        MethodHandle run = MethodHandles.lookup().findVirtual(Runnable.class, "run", MethodType.methodType(void.class))
                .bindTo(compared);
        MethodHandle equal = MethodHandles.filterReturnValue(run, MethodHandles.constant(int.class, 0));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment comparison = linker.upcallStub(
                    MethodHandles.dropArguments(equal, 0, MemorySegment.class, MemorySegment.class),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS), arena);
            sort.invokeExact(twoNumbers, 2L, 8L, comparison);
        }
    }
}

package org.restorej.bench.model;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;

/**
 * Counts what a PE calls on a communicator, and on all that come of it: messages to other PEs, their bytes, and
 * collective calls. One thread, that of the PE.
 */
final class CallCounter {
    private long messages;
    private long bytes;
    private final Map<String, Integer> collectives = new TreeMap<>();

    /** A communicator whose calls are counted here. */
    Communicator count(Communicator communicator) {
        InvocationHandler handler = (proxy, method, arguments) -> call(communicator, method,
                arguments == null ? new Object[0] : arguments);
        return (Communicator) Proxy.newProxyInstance(Communicator.class.getClassLoader(),
                new Class<?>[]{Communicator.class}, handler);
    }

    private @Nullable Object call(Communicator communicator, Method method, Object[] arguments) throws Throwable {
        switch (method.getName()) {
            case "iSend", "iSsend" -> {
                if (arguments[0] instanceof MemorySegment message && (int) arguments[1] != communicator.rank()) {
                    messages++;
                    bytes += message.byteSize();
                }
            }
            case "iBarrier", "barrier", "allReduce", "iAllReduce", "allGather", "agree", "iAgree" ->
                collectives.merge(method.getName(), 1, Integer::sum);
            default -> {
                // Local, or not called by what is modelled.
            }
        }
        try {
            Object result = method.invoke(communicator, arguments);
            if (result instanceof Communicator derived) {
                return count(derived);
            }
            return result instanceof Optional<?> optional && optional.isPresent()
                    && optional.get() instanceof Communicator derived ? Optional.of(count(derived)) : result;
        } catch (InvocationTargetException thrown) {
            throw Objects.requireNonNull(thrown.getCause());
        }
    }

    /** Forgets everything. */
    void reset() {
        messages = 0;
        bytes = 0;
        collectives.clear();
    }

    /** Messages sent to other PEs. */
    long messages() {
        return messages;
    }

    /** Their bytes. */
    long bytes() {
        return bytes;
    }

    /** Collective calls so far. */
    Collectives collectives() {
        return new Collectives(collectives.getOrDefault("iBarrier", 0) + collectives.getOrDefault("barrier", 0),
                collectives.getOrDefault("allReduce", 0) + collectives.getOrDefault("iAllReduce", 0)
                        + collectives.getOrDefault("allGather", 0),
                collectives.getOrDefault("agree", 0) + collectives.getOrDefault("iAgree", 0));
    }
}

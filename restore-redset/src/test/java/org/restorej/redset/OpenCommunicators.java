package org.restorej.redset;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.restorej.comm.Communicator;

/** Counts the duplicates of a communicator that nobody has closed. */
final class OpenCommunicators {
    private final AtomicInteger open = new AtomicInteger();

    int count() {
        return open.get();
    }

    /** The same communicator, whose duplicates count. */
    Communicator watch(Communicator real) {
        return (Communicator) Proxy.newProxyInstance(Communicator.class.getClassLoader(),
                new Class<?>[]{Communicator.class}, (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(real, arguments);
                        if (method.getName().equals("duplicate")) {
                            open.incrementAndGet();
                            return watch((Communicator) result);
                        }
                        if (method.getName().equals("close")) {
                            open.decrementAndGet();
                        }
                        return result;
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }
}

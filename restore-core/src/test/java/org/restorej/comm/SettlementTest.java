package org.restorej.comm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Proxy;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.restorej.comm.local.LocalCluster;

/**
 * A PE that can't agree must not go into the agreement of an operation around: the others wait for it in the inner one.
 */
class SettlementTest {
    @Test
    void anAgreementThatEndsInAFailureIsNotFollowedByTheOneAround() {
        assertNoSecondAgreement(ProcessFailedException.class,
                () -> new ProcessFailedException("agree", new TreeSet<>()));
        assertNoSecondAgreement(CommunicatorRevokedException.class, () -> new CommunicatorRevokedException("agree"));
        assertNoSecondAgreement(IllegalStateException.class, () -> new IllegalStateException("agree"));
        assertNoSecondAgreement(KeepsNothing.class, KeepsNothing::new);
    }

    /** Keeps nothing that is suppressed, as an OutOfMemoryError of the JVM. */
    private static final class KeepsNothing extends RuntimeException {
        private static final long serialVersionUID = 1L;

        KeepsNothing() {
            super("agree", null, false, false);
        }
    }

    private static void assertNoSecondAgreement(Class<? extends Throwable> expected, Supplier<Throwable> failure) {
        LocalCluster.run(1, world -> {
            AtomicInteger agreements = new AtomicInteger();
            Communicator cannotAgree = (Communicator) Proxy.newProxyInstance(Communicator.class.getClassLoader(),
                    new Class<?>[]{Communicator.class}, (self, method, arguments) -> {
                        if (method.getName().equals("agree")) {
                            agreements.incrementAndGet();
                            throw failure.get();
                        }
                        return method.invoke(world, arguments);
                    });
            assertThrows(expected, () -> Settlement.settle(cannotAgree, "outer",
                    () -> Settlement.settle(cannotAgree, "inner", () -> true)));
            assertEquals(1, agreements.get());
            return true;
        });
    }
}

package org.restorej.testing;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;

/**
 * Leaves out what is not in the {@link Part} that the system property {@value #PROPERTY} names. JUnit finds it as a
 * service, in every module.
 */
public final class PartFilter implements PostDiscoveryFilter {
    static final String PROPERTY = "restorej.part";

    private final Optional<Part> part = Optional.ofNullable(System.getProperty(PROPERTY)).map(Part::of);

    @Override
    public FilterResult apply(TestDescriptor descriptor) {
        String className = className(descriptor.getSource().orElse(null));
        return FilterResult.includedIf(className == null || part.isEmpty() || part.get().contains(className));
    }

    /** Of an engine there is none. */
    private static @Nullable String className(
            @Nullable TestSource source) {
        return switch (source) {
            case ClassSource ofClass -> ofClass.getClassName();
            case MethodSource ofMethod -> ofMethod.getClassName();
            case null, default -> null;
        };
    }
}

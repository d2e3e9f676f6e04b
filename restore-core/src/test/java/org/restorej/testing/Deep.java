package org.restorej.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A test that takes too long or too much memory for every day: {@code bin/test --deep} runs it, {@code bin/test} says
 * so.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@EnabledIfSystemProperty(named = Depth.PROPERTY, matches = "true", disabledReason = Depth.LEFT_OUT + "the whole test")
public @interface Deep {
}

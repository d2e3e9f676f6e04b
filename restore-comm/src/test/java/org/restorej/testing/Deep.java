package org.restorej.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A test that takes too long or too much memory for every day, or that tries more of what another test tries: more
 * PEs, more MPIs, more inputs. {@code bin/test} leaves it out, {@code bin/test --deep} runs it, and so does Maven with
 * {@code -Drestorej.deep=true}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@Tag("deep")
public @interface Deep {
}

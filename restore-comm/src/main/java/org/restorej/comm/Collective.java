package org.restorej.comm;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Called by all PEs, in the same order. What one PE does wrong leaves nobody waiting: where a call is refused on one PE
 * alone, because of an argument or for want of memory, the call of the others throws as well, or returns when they have
 * what they asked for.
 *
 * <p>
 * One argument is beyond that: who passes null for a communicator, or for what has it, has no means to tell anybody.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface Collective {
}

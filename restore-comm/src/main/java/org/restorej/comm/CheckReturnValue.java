package org.restorej.comm;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method whose result must be used, such as the {@link Request} of a message. Error Prone knows the annotation
 * by this name, and rejects calls that drop the result.
 */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
@interface CheckReturnValue {
}

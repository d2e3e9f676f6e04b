package org.restorej.comm;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What the method returns is what the caller goes on with, such as the {@link Request} of a message. Error Prone refuses
 * calls that drop it; it knows the annotation by this name.
 */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
@interface CheckReturnValue {
}

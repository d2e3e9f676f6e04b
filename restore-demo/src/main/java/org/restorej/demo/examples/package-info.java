/**
 * Short programs to copy: each is complete but for its imports.
 *
 * <p>
 * To add an example, start with a class as {@code Heat}, a case in {@code Example} and {@code Sequential} of the
 * tests, and a line in docs/guide.md. Calls the libraries as an application does; {@code restore demo} doesn't list
 * them.
 */
@NullMarked
package org.restorej.demo.examples;

import org.jspecify.annotations.NullMarked;

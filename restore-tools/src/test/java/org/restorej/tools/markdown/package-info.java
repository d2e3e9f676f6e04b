/**
 * Markdown files of the project: their code blocks, links and headings, with line numbers. The only package that knows
 * how Markdown is parsed; the tests of the documentation call it.
 */
@NullMarked
package org.restorej.tools.markdown;

import org.jspecify.annotations.NullMarked;

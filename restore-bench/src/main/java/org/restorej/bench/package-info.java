/**
 * Reports that answer one question each, with main methods of their own; the benchmark suite is in the packages below.
 */
@NullMarked
package org.restorej.bench;

import org.jspecify.annotations.NullMarked;

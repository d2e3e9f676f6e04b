/** JMH benchmarks of single parts in one JVM. They call the library; JMH calls them. */
@NullMarked
package org.restorej.bench.jvm;

import org.jspecify.annotations.NullMarked;

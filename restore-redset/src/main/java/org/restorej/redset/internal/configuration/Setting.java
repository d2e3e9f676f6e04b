package org.restorej.redset.internal.configuration;

/**
 * A setting that applies, and why.
 *
 * @param name what it is called
 * @param value what it is
 * @param source where it is from
 */
public record Setting(String name, String value, String source) {}

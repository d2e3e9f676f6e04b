package org.restorej.comm;

/**
 * What is known of a message before it is received.
 *
 * @param source current rank of its sender
 * @param bytes its length
 */
public record Envelope(int source, int bytes) {}

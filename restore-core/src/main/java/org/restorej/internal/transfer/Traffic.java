package org.restorej.internal.transfer;

/**
 * What has moved between this PE and others.
 *
 * @param sentBytes bytes that left
 * @param receivedBytes bytes that came
 * @param peers PEs that bytes left for or came from
 */
public record Traffic(long sentBytes, long receivedBytes, int peers) {}

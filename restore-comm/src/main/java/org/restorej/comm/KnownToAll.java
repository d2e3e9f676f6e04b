package org.restorej.comm;

/** What every PE throws from the same operation: {@link Settlement} need not warn of it. */
public interface KnownToAll {}

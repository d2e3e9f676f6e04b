package org.restorej.internal.host;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The name of this machine. */
public final class HostName {
    /** Linux has it here, without a network look-up, which may take seconds. */
    private static final Path FILE = Path.of("/proc/sys/kernel/hostname");

    private static final String OWN = find();

    private HostName() {}

    /** The name of this machine or container; empty if unknown. */
    public static String ownName() {
        return OWN;
    }

    /** The name of this machine or container; {@code localhost} if unknown. */
    public static String orLocalhost() {
        return OWN.isEmpty() ? "localhost" : OWN;
    }

    private static String find() {
        try {
            if (Files.isReadable(FILE)) {
                return Files.readString(FILE).strip();
            }
        } catch (IOException e) {
            System.getLogger(HostName.class.getName()).log(System.Logger.Level.DEBUG, "no host name in " + FILE, e);
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "";
        }
    }
}

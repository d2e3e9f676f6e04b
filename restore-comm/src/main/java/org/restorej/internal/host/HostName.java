package org.restorej.internal.host;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this machine is called. */
public final class HostName {
    /** Linux has it here, without a look-up in the network, which may take seconds. */
    private static final Path FILE = Path.of("/proc/sys/kernel/hostname");

    private static final String OWN = find();

    private HostName() {}

    /** The name of this machine, or of this container; empty where it can't be told. */
    public static String ownName() {
        return OWN;
    }

    /** The same for what must have a name: {@code localhost} where it can't be told. */
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

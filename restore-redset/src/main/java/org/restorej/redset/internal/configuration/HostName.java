package org.restorej.redset.internal.configuration;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The name of this machine: the failure group of its processes unless another one is given. */
public final class HostName {
    /** What {@code gethostname} answers on Linux; asking the resolver may take seconds, or fail. */
    private static final Path KERNEL_NAME = Path.of("/proc/sys/kernel/hostname");

    private HostName() {}

    /** The name. */
    public static String get() {
        try {
            return Files.readString(KERNEL_NAME).strip();
        } catch (IOException notLinux) {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException nameless) {
                return "localhost";
            }
        }
    }
}

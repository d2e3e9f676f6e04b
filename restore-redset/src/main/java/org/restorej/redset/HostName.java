package org.restorej.redset;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The name of this machine: what processes on it share, and so the failure group unless another one is named. */
final class HostName {
    /** What {@code gethostname} answers on Linux; asking the resolver may take seconds, or fail. */
    private static final Path KERNEL_NAME = Path.of("/proc/sys/kernel/hostname");

    private HostName() {}

    static String get() {
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

package org.restorej.comm.testing.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packages that {@code bin/bootstrap} unpacks; the programs of the distribution are replaced. */
class PackagesScriptTest {
    private static final long TIMEOUT_SECONDS = 60;

    /** Two packages can be had; the first argument is how many of them can be unpacked. */
    private static final String SCRIPT = """
            set -euo pipefail
            say() { :; }
            apt-get() {
              case " $* " in
                *' -s '*) printf 'Inst %s (1)\\n' one two ;;
                *' download '*) : > one.deb; : > two.deb ;;
              esac
            }
            unpacked=0
            dpkg-deb() { ((unpacked++ < sound)) && : > "$3/${2##*/}"; }
            sound=$1 scratch=$2
            . "$3"
            if unpack_packages "$scratch/folder" one two; then exit 0; else exit 7; fi
            """;

    @TempDir
    private Path folder;

    private int unpack(int sound) throws IOException, InterruptedException {
        Process bash = new ProcessBuilder("bash", "-c", SCRIPT, "unpack", Integer.toString(sound), folder.toString(),
                ProjectFiles.script("lib/packages.sh").toString()).inheritIO().start();
        assertTrue(bash.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS), "the script ends");
        return bash.exitValue();
    }

    @Test
    void allPackagesAreUnpacked() throws IOException, InterruptedException {
        assertEquals(0, unpack(2));
        assertTrue(Files.exists(folder.resolve("folder/one.deb")), "the first package");
        assertTrue(Files.exists(folder.resolve("folder/two.deb")), "the second package");
    }

    @Test
    void aPackageThatCantBeUnpackedLeavesNothing() throws IOException, InterruptedException {
        assertEquals(7, unpack(1));
        assertFalse(Files.exists(folder.resolve("folder")), "the folder");
    }
}

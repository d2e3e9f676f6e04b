package org.restorej.cli.doctor;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.restorej.cli.command.ProcessAnswer;

/**
 * Checks which MPIs are installed, and which library ranks use under each.
 *
 * @param installed the MPIs that the scripts find
 * @param library finds out which library ranks use
 */
record MpiFindings(ProcessAnswer installed, LibraryQuestion library) {
    private static final String OPEN_MPI = "Open MPI";
    private static final String MPICH = "MPICH";
    private static final String BINDINGS = "Java bindings";
    private static final String ULFM_BINDINGS = "ULFM Java bindings";
    private static final String ULFM = "ULFM";
    private static final String RUNS = "runs on several processes (--transport mpi)";
    private static final String OTHER_RUNS = "runs under it; any MPI will do (--transport mpi)";
    private static final String CALLS = "programs that call mpi.* themselves; nothing else";
    private static final String KILLS = "real failures of processes (--kill)";
    private static final String MEND = "bin/bootstrap";

    /** A finding for each MPI, and one for each set of Java bindings. */
    List<Finding> findings() {
        if (installed.trouble().isPresent()) {
            String unasked = "the scripts could not be asked";
            return List.of(Finding.unknown(OPEN_MPI, installed.trouble().get(), RUNS),
                    Finding.unknown(MPICH, unasked, RUNS), Finding.unknown(BINDINGS, unasked, CALLS),
                    Finding.unknown(ULFM, unasked, KILLS), Finding.unknown(ULFM_BINDINGS, unasked, CALLS));
        }
        List<Finding> findings = new ArrayList<>();
        findings.add(openMpi());
        findings.add(mpich());
        findings.add(bindings(BINDINGS, "", "mpirun", MEND + " --bindings"));
        findings.add(ulfm());
        findings.add(bindings(ULFM_BINDINGS, "ulfm_", "ulfm_mpirun", MEND + " --ulfm --bindings"));
        return findings;
    }

    private Finding openMpi() {
        Optional<String> mpirun = installed.value("mpirun");
        if (mpirun.isPresent()) {
            return withLibrary(OPEN_MPI, "OPEN_MPI", mpirun.get(), "version", Map.of());
        }
        String found = "no mpirun of Open MPI on the PATH, in OMPI_HOME or OPAL_PREFIX";
        return installed.value("mpich_mpirun").isPresent()
                ? Finding.optional(OPEN_MPI, found, OTHER_RUNS, MEND)
                : Finding.missing(OPEN_MPI, found, RUNS, MEND);
    }

    private Finding mpich() {
        Optional<String> mpirun = installed.value("mpich_mpirun");
        if (mpirun.isPresent()) {
            // As bin/mpirun-java does.
            Map<String, String> environment = installed.value("mpich_library_path")
                    .map(path -> Map.of("LD_LIBRARY_PATH", withInherited(path))).orElse(Map.of());
            return withLibrary(MPICH, "PMI", mpirun.get(), "mpich_version", environment);
        }
        return Finding.optional(MPICH, "no mpiexec.hydra of MPICH on the PATH or in MPICH_HOME", OTHER_RUNS,
                MEND + " --mpich");
    }

    private static String withInherited(String path) {
        String inherited = System.getenv().getOrDefault("LD_LIBRARY_PATH", "");
        return inherited.isEmpty() ? path : path + ":" + inherited;
    }

    /** A finding for an MPI, whose ranks must find a library, too. */
    private Finding withLibrary(String name, String launcher, String mpirun, String versionKey,
            Map<String, String> environment) {
        String started = installed.value(versionKey).map(version -> version + ", ").orElse("") + mpirun;
        ProcessAnswer answer = library.ask(launcher, realPath(mpirun), environment);
        Optional<String> file = answer.value("file");
        if (file.isPresent()) {
            // Open MPI appends its package and date.
            String version = answer.value("version").orElse("").replaceFirst(",.*", "");
            return Finding.ok(name, started + "; ranks call " + file.get() + " (" + answer.value("reason").orElse("")
                    + "): " + version + ", with the interface of " + answer.value("family").orElse(""), RUNS);
        }
        String error = answer.value("error").or(answer::trouble).orElse("no answer");
        return Finding.missing(name, started + "; but ranks can't call it: " + error, RUNS,
                MEND + ", or RESTOREJ_MPI_LIBRARY=/path/of/libmpi");
    }

    /** The resolved path of the launcher, beside which ranks look for a library. */
    private static String realPath(String mpirun) {
        try {
            return Path.of(mpirun).toRealPath().toString();
        } catch (IOException unreadable) {
            return mpirun;
        }
    }

    /** A finding for the bindings of one Open MPI, whose keys begin with the prefix. */
    private Finding bindings(String name, String prefix, String mpirunKey, String fix) {
        if (installed.value(mpirunKey).isEmpty()) {
            return Finding.optional(name, "no Open MPI whose bindings they could be", CALLS, fix);
        }
        Optional<String> folder = installed.value(prefix + "library_folder");
        Optional<String> jar = installed.value(prefix + "mpi_jar");
        List<String> lacking = new ArrayList<>();
        if (folder.isEmpty()) {
            lacking.add("libmpi_java.so");
        }
        if (jar.isEmpty()) {
            lacking.add("mpi.jar");
        }
        return lacking.isEmpty()
                ? Finding.ok(name, jar.orElse("") + ", " + folder.orElse(""), CALLS)
                : Finding.optional(name, "no " + String.join(" and no ", lacking), CALLS, fix);
    }

    private Finding ulfm() {
        Optional<String> version = installed.value("ulfm_version");
        return version.isPresent()
                ? Finding.ok(ULFM, "Open MPI " + version.get() + ", " + installed.value("ulfm_mpirun").orElse(""),
                        KILLS)
                : Finding.missing(ULFM, withoutUlfm(), KILLS, MEND + " --ulfm");
    }

    private String withoutUlfm() {
        String wanted = "no Open MPI 5 that survives failures of processes";
        return installed.value("version").map(version -> version.matches("[0-4]\\..*")
                ? wanted + ": Open MPI " + version + " is too old"
                : wanted + ": Open MPI " + version + " was built without fault tolerance").orElse(wanted);
    }
}

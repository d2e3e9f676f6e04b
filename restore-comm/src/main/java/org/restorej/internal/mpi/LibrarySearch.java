package org.restorej.internal.mpi;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Where an MPI library may be. In this order: what is loaded already; beside the launcher whose child this process is;
 * where environment variables of MPI installations say; where the dynamic linker looks. Beside a library that is loaded
 * already no other is looked for: two in one process would take each other's symbols and signals.
 *
 * @param environment of this process
 * @param launcher of this process
 * @param loaded files that are mapped into this process
 * @param ancestors programs that have started this one, the nearest first
 */
record LibrarySearch(Map<String, String> environment, Launcher launcher, List<Path> loaded, List<Path> ancestors) {
    /** The variable that names a library. */
    static final String VARIABLE = "RESTOREJ_MPI_LIBRARY";

    private static final List<String> PREFIX_VARIABLES = List.of("OPAL_PREFIX", "OMPI_HOME", "MPI_HOME", "MPI_ROOT",
            "I_MPI_ROOT", "MPICH_HOME", "MPICH_DIR", "CRAY_MPICH_DIR", "EBROOTOPENMPI", "EBROOTMPICH");

    /** Of a prefix; the last two are how Debian keeps several MPIs apart. */
    private static final List<String> LIBRARY_FOLDERS = List.of("lib", "lib64", "lib/release", "lib/x86_64-linux-gnu",
            "lib/aarch64-linux-gnu");

    /**
     * A library that may be there.
     *
     * @param name path of a file, or a name for the dynamic linker
     * @param reason why it is looked for
     */
    record Candidate(String name, String reason) {}

    /**
     * A folder of an MPI installation.
     *
     * @param prefix which has the folders of libraries and programs
     * @param reason why it is looked into
     */
    private record Place(Path prefix, String reason) {}

    /** Of this process; where a library is named, nothing is looked for beside the launcher. */
    static LibrarySearch ofProcess() {
        Map<String, String> environment = System.getenv();
        return new LibrarySearch(environment, Launcher.of(environment), Ancestors.mappedFiles("self"),
                named(environment).isPresent() ? List.of() : programsOf(Ancestors.ofProcess()));
    }

    private static Optional<String> named(Map<String, String> environment) {
        return Optional.ofNullable(environment.get(VARIABLE)).filter(name -> !name.isEmpty());
    }

    /** The library that the environment names. */
    Optional<String> named() {
        return named(environment);
    }

    private static List<Path> programsOf(List<ProcessHandle> processes) {
        return processes.stream().flatMap(process -> process.info().command().stream()).map(Path::of).toList();
    }

    /** The MPI libraries among the loaded ones, each once. */
    List<Path> loadedMpi() {
        return loaded.stream().filter(LibrarySearch::isMpi).distinct().toList();
    }

    /** Whether a file is an MPI library, by its name. */
    static boolean isMpi(Path file) {
        return isOpenMpi(file) || isMpich(file) || fileName(file).matches("libmpi(_abi.*)?\\.so(\\.[0-9.]+)?");
    }

    /** Whether a file is Open MPI's library, by its name. */
    static boolean isOpenMpi(Path file) {
        return fileName(file).matches("libmpi\\.so\\.(40|80)(\\..*)?");
    }

    /** Whether a file is the library of MPICH or one of its family, by its name. */
    static boolean isMpich(Path file) {
        return fileName(file).matches("(libmpi|libmpich|libmpi_(gnu|cray|intel|amd|aocc|nvidia).*)\\.so\\.12(\\..*)?");
    }

    private static String fileName(Path file) {
        return String.valueOf(file.getFileName());
    }

    /**
     * Candidates in the order in which they are to be tried, when no option names one: only what is loaded, if there
     * is.
     */
    List<Candidate> candidates() {
        if (!loadedMpi().isEmpty()) {
            return loadedMpi().stream().map(file -> new Candidate(file.toString(), "already loaded")).toList();
        }
        // Often several names lead to the same file.
        Map<Path, Candidate> files = new LinkedHashMap<>();
        List<String> names = fileNames();
        for (Place place : places()) {
            for (String folder : LIBRARY_FOLDERS) {
                for (String name : names) {
                    addFile(files, place.prefix().resolve(folder).resolve(name), place.reason());
                }
            }
        }
        List<Candidate> candidates = new ArrayList<>(files.values());
        names.forEach(name -> candidates.add(new Candidate(name, "found by the dynamic linker")));
        return List.copyOf(candidates);
    }

    /** Where the candidates come from, for people. */
    String description() {
        List<String> descriptions = new ArrayList<>();
        places().forEach(place -> descriptions.add("in " + place.prefix() + " (" + place.reason() + ")"));
        descriptions.add("and in the dynamic linker's folders (LD_LIBRARY_PATH first)");
        return String.join(", ", descriptions);
    }

    private List<Place> places() {
        Set<Place> places = new LinkedHashSet<>();
        for (Path ancestor : ancestors) {
            Path folder = ancestor.getParent();
            // Shells and loggers in between are in folders of the system, which are the dynamic linker's.
            if (folder != null && folder.getParent() != null && isLauncher(ancestor)) {
                places.add(new Place(folder.getParent(), "beside " + ancestor));
            }
        }
        for (String variable : PREFIX_VARIABLES) {
            String prefix = environment.get(variable);
            if (prefix != null && !prefix.isEmpty()) {
                places.add(new Place(Path.of(prefix), variable));
            }
        }
        return List.copyOf(places);
    }

    private void addFile(Map<Path, Candidate> files, Path file, String reason) {
        try {
            Path real = file.toRealPath();
            // libmpi.so is the name of many a library.
            boolean fits = switch (launcher) {
                case OPEN_MPI -> !isMpich(real);
                case PMI -> !isOpenMpi(real);
                default -> true;
            };
            if (fits) {
                files.putIfAbsent(real, new Candidate(file.toString(), reason));
            }
        } catch (IOException notThere) {
            // As it is with most names.
        }
    }

    /** Whether a program starts ranks, by its name. */
    static boolean isLauncher(Path program) {
        return fileName(program)
                .matches(
                        "(orted|orterun|prted|prterun|mpirun|mpiexec|hydra_pmi_proxy|hydra_bstrap_proxy)(\\..*)?");
    }

    /** Names that go with the launcher first; the standard's library serves any. */
    private List<String> fileNames() {
        List<String> names = new ArrayList<>();
        if (launcher != Launcher.PMI) {
            names.addAll(MpiFamily.OPEN_MPI.fileNames());
        }
        if (launcher != Launcher.OPEN_MPI) {
            names.addAll(MpiFamily.MPICH.fileNames());
        }
        names.addAll(MpiFamily.STANDARD.fileNames());
        return names.stream().distinct().toList();
    }
}

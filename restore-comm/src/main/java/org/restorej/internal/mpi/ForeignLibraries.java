package org.restorej.internal.mpi;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds and loads the MPI library that fits the launcher. */
public final class ForeignLibraries {
    private static final String REMEDY = "; " + LibrarySearch.VARIABLE + " may name the libmpi to load";

    /** Maximum number of functions that a message names. */
    private static final int MAX_NAMED = 4;

    /**
     * A library that is loaded.
     *
     * @param name under which it was loaded
     * @param reason why it was chosen
     */
    record Loaded(MpiLibrary library, String name, String reason) {
        /** Its path. */
        String file() {
            return Ancestors.mappedFiles("self").stream().filter(LibrarySearch::isMpi).findFirst().map(Path::toString)
                    .orElse(name);
        }
    }

    private final LibrarySearch search;

    ForeignLibraries(LibrarySearch search) {
        this.search = search;
    }

    /**
     * Loads the library for this process, without initializing it. It stays loaded until the process ends.
     *
     * @throws MpiNotFoundException when no suitable library is found
     */
    public static MpiLibrary load() throws MpiNotFoundException {
        return new ForeignLibraries(LibrarySearch.ofProcess()).find().library();
    }

    /**
     * The library that the program has loaded.
     *
     * @throws MpiNotFoundException when it has loaded none, or none that is suitable
     */
    public static MpiLibrary loadedByProgram() throws MpiNotFoundException {
        LibrarySearch search = LibrarySearch.ofProcess();
        if (search.loadedMpi().isEmpty()) {
            throw new MpiNotFoundException("no MPI library is loaded into this process");
        }
        return new ForeignLibraries(search).find().library();
    }

    /** Finds the library. */
    Loaded find() throws MpiNotFoundException {
        requireOneFamily();
        Optional<String> named = search.named();
        if (named.isPresent()) {
            return named(named.get());
        }
        List<String> absent = new ArrayList<>();
        List<String> unfit = new ArrayList<>();
        for (LibrarySearch.Candidate candidate : search.candidates()) {
            // An unsuitable library is unloaded, since a process can't have two.
            Arena life = Arena.ofShared();
            SymbolLookup symbols = open(candidate.name(), life);
            if (symbols == null) {
                life.close();
                explainAbsence(candidate.name(), absent, unfit);
                continue;
            }
            try {
                return checked(symbols, candidate);
            } catch (MpiNotFoundException reason) {
                unfit.add(candidate.name() + " (" + candidate.reason() + "): " + reason.getMessage());
                life.close();
            }
        }
        throw notFound(absent, unfit);
    }

    /**
     * Records why a candidate could not be opened. A name that the dynamic linker doesn't find is one of many; for an
     * existing file the reason is reported.
     */
    private static void explainAbsence(String name, List<String> absent, List<String> unfit) {
        String failure = DynamicLinker.failure(name);
        if (name.indexOf('/') < 0 && failure.startsWith(name + ": cannot open shared object file")) {
            absent.add(name);
        } else {
            unfit.add(failure);
        }
    }

    private MpiNotFoundException notFound(List<String> absent, List<String> unfit) {
        if (!search.loadedMpi().isEmpty()) {
            return new MpiNotFoundException("the MPI library that is loaded into this process can't be used: "
                    + String.join("; ", unfit));
        }
        String launcher = search.launcher() == Launcher.NONE ? "" : " for " + search.launcher().description();
        String reasons = unfit.isEmpty() ? "" : "; " + String.join("; ", unfit);
        return new MpiNotFoundException("no MPI library found" + launcher + ": no " + String.join(", ", absent) + " "
                + search.description() + reasons + REMEDY);
    }

    /** Two MPIs in one process would use each other's symbols and signals. */
    private void requireOneFamily() throws MpiNotFoundException {
        List<Path> files = search.loadedMpi();
        if (files.stream().anyMatch(LibrarySearch::isOpenMpi) && files.stream().anyMatch(LibrarySearch::isMpich)) {
            throw new MpiNotFoundException("two MPI libraries are loaded into this process, which no process survives: "
                    + files);
        }
    }

    private Loaded named(String name) throws MpiNotFoundException {
        try {
            requireAlone(name);
            SymbolLookup symbols = open(name, Arena.global());
            if (symbols == null) {
                throw new MpiNotFoundException("it can't be loaded: " + DynamicLinker.failure(name));
            }
            return checked(symbols, new LibrarySearch.Candidate(name, LibrarySearch.VARIABLE));
        } catch (MpiNotFoundException unfit) {
            throw new MpiNotFoundException(LibrarySearch.VARIABLE + "=" + name + ": " + unfit.getMessage(), unfit);
        }
    }

    /** Throws if the program has loaded another MPI library. */
    private void requireAlone(String name) throws MpiNotFoundException {
        List<Path> others = search.loadedMpi();
        if (!others.isEmpty() && others.stream().noneMatch(other -> isNamed(other, name))) {
            throw new MpiNotFoundException("another MPI library is loaded into this process already, and no process "
                    + "survives two: " + others);
        }
    }

    /** Whether a file has a path, or a name that starts with the given one, as in the dynamic linker. */
    private static boolean isNamed(Path file, String name) {
        return name.indexOf('/') < 0
                ? String.valueOf(file.getFileName()).startsWith(name)
                : isSameFile(file, Path.of(name));
    }

    private static boolean isSameFile(Path one, Path other) {
        try {
            return Files.isSameFile(one, other);
        } catch (IOException e) {
            return false;
        }
    }

    private static @Nullable SymbolLookup open(String name, Arena life) {
        try {
            return name.indexOf('/') < 0
                    ? SymbolLookup.libraryLookup(name, life)
                    : SymbolLookup.libraryLookup(Path.of(name), life);
        } catch (IllegalArgumentException notThere) {
            return null;
        }
    }

    private Loaded checked(SymbolLookup symbols, LibrarySearch.Candidate candidate) throws MpiNotFoundException {
        MemorySegment versionFunction = symbols.find("MPI_Get_library_version").orElseThrow(
                () -> new MpiNotFoundException("it is no MPI library, or older than MPI 3.0: it has no "
                        + "MPI_Get_library_version"));
        String version = MpiLibrary.versionOf(versionFunction);
        MpiFamily family = MpiFamily.of(symbols, version);
        requireFit(family, version);
        Functions functions = new Functions(symbols);
        if (!functions.missing().isEmpty()) {
            throw new MpiNotFoundException("it lacks " + some(functions.missing()) + ": " + version);
        }
        MpiLibrary library = new MpiLibrary(symbols, functions, family.constants(symbols), version,
                LocalCores.areShared(search.environment()));
        return new Loaded(library, candidate.name(), candidate.reason());
    }

    /** The first names of a list; a library without MPI-3 lacks many functions. */
    private static String some(List<String> missing) {
        String first = missing.stream().limit(MAX_NAMED).collect(Collectors.joining(", "));
        return missing.size() <= MAX_NAMED ? first : first + " and " + (missing.size() - MAX_NAMED) + " others";
    }

    /**
     * Throws if the library can't run under the launcher: each rank would be alone, or MPI_Init would end the process.
     */
    private void requireFit(MpiFamily family, String version) throws MpiNotFoundException {
        boolean isMpich = MpiFamily.isMpich(version);
        boolean isOpenMpi = MpiLibrary.isOpenMpi(version) || family == MpiFamily.OPEN_MPI;
        // Slurm also starts an Open MPI that was built for its PMI-2.
        boolean isHydra = search.launcher() == Launcher.PMI && !search.environment().containsKey("SLURM_PROCID");
        if ((isOpenMpi && isHydra) || (isMpich && search.launcher() == Launcher.OPEN_MPI)) {
            throw new MpiNotFoundException("it can't run under " + search.launcher().description() + ": " + version);
        }
    }
}

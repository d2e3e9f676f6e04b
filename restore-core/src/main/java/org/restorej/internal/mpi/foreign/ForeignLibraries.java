package org.restorej.internal.mpi.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Finds and loads the MPI library that fits the launcher. */
public final class ForeignLibraries {
    private static final String REMEDY = "; " + LibrarySearch.VARIABLE + " or -D" + LibrarySearch.PROPERTY
            + " may name the libmpi to load";

    /**
     * A library that is loaded.
     *
     * @param file its path, or its name where the dynamic linker has found it
     * @param reason why it was taken
     */
    public record Loaded(ForeignLibrary library, String file, String reason) {}

    private final LibrarySearch search;

    private ForeignLibraries(LibrarySearch search) {
        this.search = search;
    }

    /**
     * Loads the library for this process; doesn't initialise it. What is loaded stays for the life of the process.
     *
     * @throws MpiNotFoundException when there is none, or none that fits
     */
    public static Loaded load() throws MpiNotFoundException {
        return new ForeignLibraries(LibrarySearch.ofProcess()).find();
    }

    private Loaded find() throws MpiNotFoundException {
        requireOneFamily();
        String property = System.getProperty(LibrarySearch.PROPERTY);
        if (property != null && !property.isEmpty()) {
            return named(property, "-D" + LibrarySearch.PROPERTY);
        }
        String variable = search.environment().get(LibrarySearch.VARIABLE);
        if (variable != null && !variable.isEmpty()) {
            return named(variable, LibrarySearch.VARIABLE);
        }
        List<String> tried = new ArrayList<>();
        for (LibrarySearch.Candidate candidate : search.candidates()) {
            SymbolLookup symbols = open(candidate.name());
            if (symbols == null) {
                tried.add(candidate.name());
                continue;
            }
            try {
                return checked(symbols, candidate);
            } catch (MpiNotFoundException unfit) {
                tried.add(candidate.name() + " (" + unfit.getMessage() + ")");
            }
        }
        throw new MpiNotFoundException("no MPI library found for " + search.launcher().description() + ": looked for "
                + String.join(", ", tried) + REMEDY);
    }

    /** Two MPIs in one process would take each other's symbols and signals. */
    private void requireOneFamily() throws MpiNotFoundException {
        List<Path> files = search.loadedMpi();
        Predicate<Path> isOpenMpi = file -> file.getFileName().toString().matches("libmpi\\.so\\.(40|80)(\\..*)?");
        Predicate<Path> isMpich = file -> file.getFileName().toString().matches("lib(mpi|mpich)\\.so\\.12(\\..*)?");
        if (files.stream().anyMatch(isOpenMpi) && files.stream().anyMatch(isMpich)) {
            throw new MpiNotFoundException("two MPI libraries are loaded into this process, which no process survives: "
                    + files);
        }
    }

    private Loaded named(String name, String option) throws MpiNotFoundException {
        List<Path> others = search.loadedMpi();
        if (!others.isEmpty() && others.stream().noneMatch(other -> isSameFile(other, Path.of(name)))) {
            throw new MpiNotFoundException(option + " names another MPI library than the one that is loaded into this "
                    + "process: " + option + "=" + name + ", loaded " + others);
        }
        SymbolLookup symbols = open(name);
        if (symbols == null) {
            throw new MpiNotFoundException(option + " names a library that can't be loaded: " + option + "=" + name
                    + (Files.exists(Path.of(name)) ? " (ldd tells which library it misses)" : " (no such file)"));
        }
        try {
            return checked(symbols, new LibrarySearch.Candidate(name, option));
        } catch (MpiNotFoundException unfit) {
            throw new MpiNotFoundException(option + "=" + name + ": " + unfit.getMessage(), unfit);
        }
    }

    private static boolean isSameFile(Path one, Path other) {
        try {
            return Files.isSameFile(one, other);
        } catch (java.io.IOException e) {
            return false;
        }
    }

    private static @Nullable SymbolLookup open(String name) {
        try {
            return name.indexOf('/') < 0
                    ? SymbolLookup.libraryLookup(name, Arena.global())
                    : SymbolLookup.libraryLookup(Path.of(name), Arena.global());
        } catch (IllegalArgumentException notThere) {
            return null;
        }
    }

    private Loaded checked(SymbolLookup symbols, LibrarySearch.Candidate candidate) throws MpiNotFoundException {
        MemorySegment versionFunction = symbols.find("MPI_Get_library_version").orElseThrow(
                () -> new MpiNotFoundException("it has no MPI_Get_library_version, so it is not MPI 3.0 or newer"));
        String version = ForeignLibrary.versionOf(versionFunction);
        MpiFamily family = MpiFamily.of(symbols, version);
        requireFit(version);
        Functions functions = new Functions(symbols);
        if (!functions.missing().isEmpty()) {
            throw new MpiNotFoundException("it lacks " + String.join(", ", functions.missing()) + ": " + version);
        }
        boolean yields = version.startsWith("Open MPI") || !LocalCores.areShared(search.environment());
        ForeignLibrary library = new ForeignLibrary(symbols, functions, family.constants(symbols), version, yields);
        return new Loaded(library, candidate.name(), candidate.reason());
    }

    /** Under another MPI's launcher each rank would be alone, or MPI_Init would end the process. */
    private void requireFit(String version) throws MpiNotFoundException {
        boolean isOpenMpi = version.startsWith("Open MPI");
        if (isOpenMpi ? search.launcher() == Launcher.PMI : search.launcher() == Launcher.OPEN_MPI) {
            throw new MpiNotFoundException("this library can't run under " + search.launcher().description() + ": "
                    + version);
        }
    }
}

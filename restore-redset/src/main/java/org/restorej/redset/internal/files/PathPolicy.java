package org.restorej.redset.internal.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.format.FileName;

/**
 * Determines which files recorded names may refer to. Records are not trusted. A name is rejected if it leaves the
 * allowed directories through {@code ..}, as an absolute path, or through a symbolic link.
 *
 * @param base directory to which relative names refer
 * @param allowed further directories in which files may be
 * @param anywhere whether names may refer to any file, as the application's own names may
 * @param moved former paths of files, or of directories above them, and their present paths; the first match counts
 * @param home a directory that may have been copied with its own files, or null. If a name contains the last two
 *        elements of its path, the rest of the name is resolved in this directory.
 */
public record PathPolicy(Path base, List<Path> allowed, boolean anywhere, Map<String, String> moved,
        @Nullable Path home) {
    /** Makes directories absolute and copies the collections. */
    public PathPolicy {
        home = home == null ? null : home.toAbsolutePath().normalize();
        base = base.toAbsolutePath().normalize();
        List<Path> absolute = new ArrayList<>();
        for (Path directory : allowed) {
            absolute.add(directory.toAbsolutePath().normalize());
        }
        allowed = List.copyOf(absolute);
        moved = Collections.unmodifiableMap(new LinkedHashMap<>(moved));
    }

    /** As the canonical constructor, without {@code home}. */
    public PathPolicy(Path base, List<Path> allowed, boolean anywhere, Map<String, String> moved) {
        this(base, allowed, anywhere, moved, null);
    }

    /** This policy for the files of a directory that may be a copy. */
    public PathPolicy at(Path directory) {
        return new PathPolicy(base, allowed, anywhere, moved, directory);
    }

    /** A policy that allows names within some directories only. Relative names refer to the first. */
    public static PathPolicy within(Path base, Path... allowed) {
        return new PathPolicy(base, List.of(allowed), false, Map.of());
    }

    /** A policy that allows all names, for the application's own. */
    public static PathPolicy trusted(Path base) {
        return new PathPolicy(base, List.of(), true, Map.of());
    }

    /**
     * The file of a recorded name.
     *
     * @throws IOException if the name is no valid path or leaves the allowed directories
     */
    public Path resolve(String name) throws IOException {
        return new Resolver().resolve(name);
    }

    /** Finds the files of several names, and looks only once for links in their directories. Not thread-safe. */
    public final class Resolver {
        private final Map<Path, Path> realDirectories = new HashMap<>();

        /** As {@link PathPolicy#resolve}. */
        public Path resolve(String name) throws IOException {
            Path path;
            try {
                path = inHome(base.resolve(FilePaths.of(translate(name))).normalize());
            } catch (InvalidPathException invalid) {
                throw new IOException("not a file name: " + FileName.shown(name), invalid);
            }
            if (anywhere || (isAllowed(path) && isAllowed(real(path)))) {
                return path;
            }
            throw new IOException("the file name leads out of the directories allowed, "
                    + Stream.concat(Stream.of(base), allowed.stream()).distinct().map(Path::toString)
                            .collect(Collectors.joining(", "))
                    + ": " + FileName.shown(name));
        }

        /** The path of a file without symbolic links, in the part of it that exists. */
        public Path real(Path path) throws IOException {
            Path file = FilePaths.throughLinks(path.toAbsolutePath());
            Path directory = file.getParent();
            return directory == null ? file : realDirectory(directory).resolve(file.getFileName()).normalize();
        }

        /** The same of a directory. */
        public Path realDirectory(Path directory) throws IOException {
            Path known = realDirectories.get(directory);
            Path real = known == null ? withoutLinks(directory) : known;
            realDirectories.put(directory, real);
            return real;
        }

        private boolean isAllowed(Path path) throws IOException {
            if (isInside(path, base)) {
                return true;
            }
            for (Path directory : allowed) {
                if (isInside(path, directory)) {
                    return true;
                }
            }
            return false;
        }

        private boolean isInside(Path path, Path directory) throws IOException {
            return !path.equals(directory)
                    && (path.startsWith(directory) || path.startsWith(realDirectory(directory)));
        }
    }

    private Path inHome(Path path) {
        Path directory = home;
        if (directory == null || directory.getNameCount() < 2) {
            return path;
        }
        Path end = directory.subpath(directory.getNameCount() - 2, directory.getNameCount());
        for (int i = path.getNameCount() - 3; i >= 0; i--) {
            if (path.subpath(i, i + 2).equals(end)) {
                return directory.resolve(path.subpath(i + 2, path.getNameCount()));
            }
        }
        return path;
    }

    private String translate(String name) {
        for (Map.Entry<String, String> entry : moved.entrySet()) {
            if (isAtOrBelow(name, entry.getKey())) {
                return entry.getValue() + name.substring(entry.getKey().length());
            }
        }
        return name;
    }

    /** Whether a recorded name is this one or below it: {@code /scratch2} is not below {@code /scratch}. */
    private static boolean isAtOrBelow(String name, String start) {
        return name.startsWith(start)
                && (name.length() == start.length() || start.endsWith("/") || name.charAt(start.length()) == '/');
    }

    /** The path with symbolic links resolved in the part of it that exists. */
    private static Path withoutLinks(Path path) throws IOException {
        Path existing = path;
        while (existing != null && !Files.exists(existing)) {
            if (Files.isSymbolicLink(existing)) {
                throw new IOException("a symbolic link leads nowhere: " + existing);
            }
            existing = existing.getParent();
        }
        return existing == null ? path : existing.toRealPath().resolve(existing.relativize(path)).normalize();
    }
}

package org.restorej.cli.command;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The scripts that find MPIs and start ranks. A checkout contains them. Otherwise they are unpacked from the jar of
 * this program into its cache folder, once for each version.
 */
public final class ShippedScripts {
    private static final String SCRIPTS = "org/restorej/cli/scripts/";
    private static final Pattern PLAIN = Pattern.compile("[\\w./:@%+=,-]+");
    private static final String EXECUTABLE = "rwxr-xr-x";
    private static final int NAME_DIGITS = 16;
    private static final int JDK_OF_RANKS = 25;

    private ShippedScripts() {}

    /**
     * The folder that contains {@code bin} with the scripts.
     *
     * @throws IOException when they can't be unpacked
     */
    public static Path root() throws IOException {
        Optional<Path> checkout = ProjectFolder.find();
        return checkout.isPresent() ? checkout.get() : unpacked(jar(), cacheFolder());
    }

    /**
     * The command by which a user starts a script: the script of the checkout, or this jar with the command of that
     * name.
     */
    public static String commandFor(String script) {
        return ProjectFolder.find().isPresent()
                ? "bin/" + script
                : "java -jar " + quoted(jar().toString()) + " " + script;
    }

    /** Quotes a word for a shell. */
    public static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /**
     * Runs a script with this process's standard streams, and with its JDK if that is suitable for ranks. Programs that
     * it starts use the library in this program, unless they have one.
     *
     * @return its exit code
     */
    public static int run(String script, List<String> arguments) throws IOException {
        List<String> command = Stream.concat(Stream.of(root().resolve("bin").resolve(script).toString()),
                arguments.stream()).toList();
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        Map<String, String> environment = builder.environment();
        if (Runtime.version().feature() == JDK_OF_RANKS) {
            environment.putIfAbsent("RESTOREJ_JAVA_HOME", System.getProperty("java.home"));
        }
        environment.putIfAbsent("RESTOREJ_LIBRARY", jar().toString());
        return JobProcess.exitCode(builder);
    }

    /** The jar of this program, or its folder of classes. */
    private static Path jar() {
        CodeSource source = Objects.requireNonNull(ShippedScripts.class.getProtectionDomain().getCodeSource());
        try {
            return Path.of(source.getLocation().toURI());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Path cacheFolder() {
        String named = System.getenv("XDG_CACHE_HOME");
        // As in the scripts, a relative path is ignored.
        return (named == null || !named.startsWith("/")
                ? Path.of(System.getProperty("user.home"), ".cache")
                : Path.of(named)).resolve("restorej");
    }

    /** Unpacks scripts that don't exist yet. */
    static Path unpacked(Path jar, Path cache) throws IOException {
        Map<Path, byte[]> files = Files.isDirectory(jar) ? read(jar) : readJar(jar);
        if (files.isEmpty()) {
            throw new NoSuchFileException(jar + " has no scripts");
        }
        Path scripts = cache.resolve("scripts");
        Path folder = scripts.resolve(name(files));
        for (Map.Entry<Path, byte[]> file : files.entrySet()) {
            Path script = folder.resolve(file.getKey());
            if (!Files.isExecutable(script) || Files.size(script) != file.getValue().length) {
                Files.createDirectories(script.getParent());
                // Other processes may do the same now, or already use the file.
                Path making = Files.createTempFile(scripts, "making.", "");
                Files.write(making, file.getValue());
                Files.setPosixFilePermissions(making, PosixFilePermissions.fromString(EXECUTABLE));
                Files.move(making, script, StandardCopyOption.ATOMIC_MOVE);
            }
        }
        return folder;
    }

    private static Map<Path, byte[]> readJar(Path jar) throws IOException {
        try (FileSystem inside = FileSystems.newFileSystem(jar)) {
            return read(inside.getPath("/"));
        }
    }

    /** All scripts by their paths, which begin with {@code bin}. */
    private static Map<Path, byte[]> read(Path root) throws IOException {
        Path scripts = root.resolve(SCRIPTS);
        Map<Path, byte[]> files = new TreeMap<>();
        if (Files.isDirectory(scripts)) {
            try (Stream<Path> paths = Files.walk(scripts)) {
                for (Path path : paths.filter(Files::isRegularFile).toList()) {
                    files.put(Path.of(scripts.relativize(path).toString()), Files.readAllBytes(path));
                }
            }
        }
        return files;
    }

    private static String name(Map<Path, byte[]> files) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            files.forEach((path, content) -> {
                digest.update(path.toString().getBytes(StandardCharsets.UTF_8));
                digest.update(content);
            });
            return HexFormat.of().formatHex(digest.digest()).substring(0, NAME_DIGITS);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}

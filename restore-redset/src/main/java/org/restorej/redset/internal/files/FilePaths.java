package org.restorej.redset.internal.files;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import org.restorej.redset.internal.format.FileName;

/**
 * Paths of files whose names are bytes. Java decodes names with the encoding of the locale, and rejects names that this
 * encoding can't represent. URIs hold the bytes, so this class finds every file in every locale.
 */
public final class FilePaths {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();
    private static final Path ROOT = Path.of("/");

    /** Maximum length of a chain of links, as in Linux. A longer chain is taken for a loop. */
    private static final int MAX_LINKS = 40;

    private FilePaths() {}

    /**
     * The path of a recorded name.
     *
     * @param name a name in the form of {@link FileName#decode}
     * @throws InvalidPathException if the name contains a NUL
     */
    public static Path of(String name) {
        if (FileName.isAscii(name)) {
            return Path.of(name);
        }
        StringBuilder uri = new StringBuilder("file://");
        char last = '/';
        uri.append('/');
        for (byte each : FileName.encode(name).getBytes(StandardCharsets.ISO_8859_1)) {
            char letter = (char) (each & 0xFF);
            if (letter == 0) {
                throw new InvalidPathException(FileName.shown(name), "Nul character not allowed");
            } else if (letter != '/') {
                uri.append('%').append(HEX.toHexDigits(each));
            } else if (last != '/') {
                uri.append('/');
            }
            last = letter;
        }
        Path absolute = Path.of(URI.create(uri.toString()));
        return name.startsWith("/") ? absolute : absolute.subpath(0, absolute.getNameCount());
    }

    /** The name of a path in the form of {@link FileName#decode}. The same bytes give the same name in every locale. */
    public static String nameOf(Path path) {
        String text = path.toString();
        if (FileName.isAscii(text)) {
            return text;
        }
        String raw = ROOT.resolve(path).toUri().getRawPath();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int at = 0;
        while (at < raw.length()) {
            boolean escaped = raw.charAt(at) == '%';
            bytes.write(escaped ? HexFormat.fromHexDigits(raw, at + 1, at + 3) : raw.charAt(at));
            at += escaped ? 3 : 1;
        }
        String name = FileName.decode(bytes.toString(StandardCharsets.ISO_8859_1));
        // The URI of a directory ends with a slash.
        int end = name.endsWith("/") ? name.length() - 1 : name.length();
        return name.substring(path.isAbsolute() ? 0 : 1, end);
    }

    /**
     * The target of a symbolic link, which need not exist; otherwise the path itself. Writing to the target keeps the
     * link.
     */
    public static Path throughLinks(Path path) throws IOException {
        Path target = path;
        for (int links = 0; Files.isSymbolicLink(target); links++) {
            if (links == MAX_LINKS) {
                throw new FileSystemException(path + " is a loop of symbolic links: move it away");
            }
            target = target.resolveSibling(Files.readSymbolicLink(target));
        }
        return target;
    }

    /** A path that is the same for all paths of one file. The file need not exist. */
    public static Path identity(Path path) throws IOException {
        return withoutLinks(throughLinks(path.toAbsolutePath()));
    }

    /** A path without links, as far as it exists. */
    public static Path withoutLinks(Path path) {
        Path absolute = path.toAbsolutePath();
        return real(absolute).orElseGet(() -> {
            Path parent = absolute.getParent();
            Path name = absolute.getFileName();
            // A part that is absent may be left again by "..".
            Path rest = parent == null || name == null ? absolute : withoutLinks(parent).resolve(name).normalize();
            return real(rest).orElse(rest);
        });
    }

    private static Optional<Path> real(Path path) {
        try {
            return Optional.of(path.toRealPath());
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    /** A path for messages; see {@link FileName#shown}. */
    public static String shown(Path path) {
        return FileName.shown(nameOf(path));
    }

    /** Whether the locale's encoding can represent the name of a path. */
    public static boolean isEncodable(Path path) {
        try {
            return Path.of(path.toString()).equals(path);
        } catch (InvalidPathException notEncodable) {
            return false;
        }
    }

    /** A message that the locale's encoding can't represent a name, with a remedy. */
    public static String notEncodable(Path path) {
        return FileName.shown(nameOf(path)) + " is not encodable in this locale, whose encoding is "
                + System.getProperty("sun.jnu.encoding") + ": set LC_ALL=C.UTF-8 before Java is started";
    }
}

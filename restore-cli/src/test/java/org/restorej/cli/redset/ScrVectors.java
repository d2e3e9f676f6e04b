package org.restorej.cli.redset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.scr.ScrFileName;
import org.restorej.testing.ProjectFolder;

/**
 * A copy of files that SCR itself wrote.
 *
 * @param original files of the test, which stay as they are
 * @param copy may be damaged
 */
public record ScrVectors(Path original, Path copy) {
    /** Cases in which each member of a set is in the cache of its own node. */
    public static final List<String> OF_NODES = List.of("v122-xor4", "v122-crc-2sets", "v200-xor2");

    /** Copies a case to a folder that isn't there yet. */
    public static ScrVectors copy(String name, Path copy) throws IOException {
        ScrVectors vectors = new ScrVectors(root().resolve(name), copy);
        vectors.restore();
        return vectors;
    }

    private static Path root() {
        return ProjectFolder.root().resolve("restore-cli/src/test/resources/scr-vectors");
    }

    /** Makes all files as they were. */
    public void restore() throws IOException {
        if (Files.exists(copy)) {
            DirectoryEntries.deleteTree(copy);
        }
        try (Stream<Path> all = Files.walk(original)) {
            for (Path path : all.filter(Files::isRegularFile).toList()) {
                Path target = copy.resolve(original.relativize(path).toString());
                Files.createDirectories(target.resolveSibling("."));
                Files.copy(path, target);
            }
        }
    }

    /** The folder of each node's data, in order of world ranks. */
    public List<Path> nodes() throws IOException {
        List<Path> nodes = new ArrayList<>();
        for (Path node : DirectoryEntries.of(original)) {
            if (Files.isDirectory(node)) {
                nodes.add(copy.resolve(node.getFileName().toString()).resolve("scr.dataset.1"));
            }
        }
        return nodes;
    }

    /** A node whose disk is lost: its folder is empty. */
    public void lose(int node) throws IOException {
        DirectoryEntries.deleteTree(nodes().get(node));
        Files.createDirectory(nodes().get(node));
    }

    /** The XOR file of a node. */
    public Path xor(int node) throws IOException {
        return DirectoryEntries.of(nodes().get(node).resolve(".scr")).getFirst();
    }

    /** The data files of a node. */
    public List<Path> data(int node) throws IOException {
        return DirectoryEntries.of(nodes().get(node)).stream().filter(Files::isRegularFile).toList();
    }

    /** What differs from what SCR wrote; the order of keys in headers, which SCR's hashes don't have, doesn't count. */
    public List<String> differences() throws IOException {
        List<String> differences = new ArrayList<>();
        for (String line : Files.readAllLines(original.resolve("SHA256SUMS"))) {
            String name = line.substring(line.indexOf("  ") + 2);
            Path file = copy.resolve(name);
            boolean same = Files.exists(file) && (sha256(file).equals(line.substring(0, line.indexOf(' ')))
                    || isSameXorFile(original.resolve(name), file));
            if (!same) {
                differences.add(name);
            }
        }
        return differences;
    }

    private static boolean isSameXorFile(Path left, Path right) throws IOException {
        if (ScrFileName.parse(left.getFileName().toString()).isEmpty()) {
            return false;
        }
        byte[] before = Files.readAllBytes(left);
        byte[] after = Files.readAllBytes(right);
        KvTreeBlock header = KvTreeBlock.decode(before);
        KvTreeBlock rebuilt = KvTreeBlock.decode(after);
        return header.tree().equals(rebuilt.tree())
                && Arrays.equals(Arrays.copyOfRange(before, header.sizeBytes(), before.length),
                        Arrays.copyOfRange(after, rebuilt.sizeBytes(), after.length));
    }

    private static String sha256(Path file) throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}

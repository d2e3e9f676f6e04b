package org.restorej.tools.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.tools.markdown.CodeBlock;

/** All Java in the documentation compiles, and what has output prints what the documentation says. */
class JavaBlocksTest {
    @TempDir
    private Path classes = Path.of("");

    private static List<JavaBlock> blocks() throws IOException {
        List<JavaBlock> blocks = new ArrayList<>();
        // A quotation is part of a file that another test compiles.
        Documents.codeBlocks()
                .filter(block -> block.language().equals("java") && block.directive("from").isEmpty())
                .forEach(block -> blocks.add(JavaBlock.of(block, blocks.size())));
        return blocks;
    }

    @Test
    void everyBlockCompilesAndPrintsWhatItIsSaidTo() throws Exception {
        List<JavaBlock> blocks = blocks();
        assertFalse(blocks.isEmpty());
        assertEquals("", String.join("\n", BlockCompiler.mistakes(blocks, classes)));
        int printing = 0;
        try (URLClassLoader loader = new URLClassLoader(new URL[]{classes.toUri().toURL()})) {
            for (JavaBlock block : blocks) {
                if (block.block().directive("prints").isPresent()) {
                    assertEquals(block.block().directive("prints").get(), output(loader.loadClass(block.typeName())),
                            block.block().place());
                    printing++;
                }
            }
        }
        assertFalse(printing == 0, "no block has a comment <!-- prints: ... -->");
    }

    private static String output(Class<?> program) throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            program.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8).strip();
    }

    @Test
    void everyBlockSaysWhatItIs() throws IOException {
        assertEquals(List.of(), Documents.codeBlocks().filter(block -> block.language().isEmpty())
                .map(CodeBlock::place).toList(), "blocks need a language: java, sh, console, xml, text, ...");
    }
}

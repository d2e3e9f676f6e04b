package org.restorej.tools.docs;

import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.SimpleJavaFileObject;
import org.restorej.tools.markdown.CodeBlock;

/**
 * A Java block of the documentation as a source file, with every line on the number that it has in the document.
 *
 * <p>
 * A block that declares a top-level type is a file without a package with the imports
 * {@link #IMPORTS} besides its own. Any other block is statements of a method that may throw anything; a comment
 * {@code <!-- given: Communicator world, long n -->} before the block names the method's parameters, and
 * {@code <!-- members: ... -->} has methods and fields that the block uses.
 */
final class JavaBlock extends SimpleJavaFileObject {
    /** What a block may use without saying so. */
    static final String IMPORTS = Stream
            .of("java.io", "java.lang.foreign", "java.nio.file", "java.time", "java.util", "java.util.function",
                    "java.util.stream",
                    "it.unimi.dsi.fastutil.ints", "org.restorej", "org.restorej.balance", "org.restorej.block",
                    "org.restorej.codec", "org.restorej.comm", "org.restorej.comm.FailureSimulation",
                    "org.restorej.comm.local", "org.restorej.comm.mpi", "org.restorej.placement",
                    "org.restorej.comm.collective",
                    "org.restorej.report", "org.restorej.loop", "org.restorej.rows", "org.restorej.objects",
                    "org.restorej.redset")
            .map(name -> "import " + name + ".*; ").collect(Collectors.joining())
            // One by one: MPI, too, has a Request.
            + "import mpi.Intracomm; import mpi.MPI; ";
    private static final Pattern TOP_LEVEL_TYPE = Pattern
            .compile("(?m)^(?:public |final |abstract |sealed )*(?:class|record|interface|enum) (\\w+)");

    private final CodeBlock block;
    private final String packageName;
    private final String typeName;
    private final String source;

    private JavaBlock(CodeBlock block, String packageName, String typeName, String source) {
        super(URI.create("string:///" + packageName + "/" + typeName + ".java"), Kind.SOURCE);
        this.block = block;
        this.packageName = packageName;
        this.typeName = typeName;
        this.source = source;
    }

    /**
     * The source file of a block.
     *
     * @param number sets it apart from other blocks
     */
    static JavaBlock of(CodeBlock block, int number) {
        String packageName = "document" + number;
        Matcher type = TOP_LEVEL_TYPE.matcher(block.text());
        String header = "package " + packageName + "; " + IMPORTS;
        if (type.find()) {
            return new JavaBlock(block, packageName, type.group(1), lines(block.line() - 2) + header + "\n"
                    + block.text());
        }
        header += "class Block { " + block.directive("members").orElse("").replace('\n', ' ') + " void run("
                + block.directive("given").orElse("").replace('\n', ' ') + ") throws Exception {";
        return new JavaBlock(block, packageName, "Block", lines(block.line() - 2) + header + "\n" + block.text()
                + "}}");
    }

    private static String lines(int count) {
        return "\n".repeat(count);
    }

    CodeBlock block() {
        return block;
    }

    /** Full name of the type declared. */
    String typeName() {
        return packageName + "." + typeName;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return source;
    }
}

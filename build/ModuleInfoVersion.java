import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Gives a compiled module-info the class file version of Java 17. The jar plugin calls the jar tool of the Java that
 * runs Maven, and one older than the class refuses it. What a module-info says has had the same form since Java 9.
 */
class ModuleInfoVersion {
    private static final int MAGIC = 0xCAFEBABE;
    private static final int JAVA_17 = 61;
    /** Where the version stands in a class file. */
    private static final int VERSION = 4;

    /** Changes the file that is named; one that is old enough stays as it is. */
    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments[0]);
        ByteBuffer content = ByteBuffer.wrap(Files.readAllBytes(file));
        if (content.getInt(0) != MAGIC) {
            throw new IOException("not a class file: " + file);
        }
        if (content.getInt(VERSION) > JAVA_17) {
            Files.write(file, content.putInt(VERSION, JAVA_17).array());
        }
    }
}

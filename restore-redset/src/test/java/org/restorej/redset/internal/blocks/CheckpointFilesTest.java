package org.restorej.redset.internal.blocks;

import org.restorej.redset.internal.blocks.BlockFileHeader.Description;
import org.restorej.redset.internal.blocks.BlockFileHeader.Origin;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.TestBlocks;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.internal.files.FileOperations;

/** Checkpoints of one id that were saved at different times, each on disks of its own: what is left of them. */
class CheckpointFilesTest {
    private static final int WRITERS = 4;
    private static final long BLOCKS = 40;
    private static final BlockRange ALL = BlockRange.of(0, BLOCKS);
    private static final long BLOCKS_OF_WRITER = BLOCKS / WRITERS;
    private static final TestBlocks OLD_CONTENT = new TestBlocks(10, 1);
    private static final TestBlocks NEW_CONTENT = new TestBlocks(10, 2);
    private static final Origin.SaveId OLD = new Origin.SaveId(1_000, WRITERS);
    private static final Origin.SaveId NEW = new Origin.SaveId(2_000, WRITERS);

    @TempDir
    private Path folder = Path.of("");

    @BeforeEach
    void saveTwice() {
        save("old", OLD, OLD_CONTENT);
        save("new", NEW, NEW_CONTENT);
    }

    private Path disk(String job, int writer) {
        return folder.resolve(job).resolve("node" + writer);
    }

    private void save(String job, Origin.SaveId save, TestBlocks content) {
        LocalCluster.run(WRITERS, world -> {
            Path directory = disk(job, world.rank());
            Path file = directory.resolve(CheckpointFiles.fileName(world.rank()));
            BlockRange blocks = BlockRange.of(world.rank() * BLOCKS_OF_WRITER, BLOCKS_OF_WRITER);
            try (BlockFileWriter writer = new BlockFileWriter(FileOperations.system(), file,
                    new Origin(save.savedMillis(), world.rank(), WRITERS), BLOCKS, content.blockSizeBytes(),
                    BlockRanges.of(blocks), Description.NONE)) {
                for (long id = blocks.first(); id < blocks.end(); id++) {
                    writer.append(MemorySegment.ofArray(content.bytes(BlockRange.of(id, 1))));
                }
                writer.publish();
            } catch (IOException failure) {
                throw new AssertionError(failure);
            }
            return true;
        });
    }

    private void lose(String job, int writer) throws IOException {
        try (Stream<Path> files = Files.list(disk(job, writer))) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }

    private CheckpointFiles open(String... jobs) {
        return CheckpointFiles.open(FileOperations.system(), Stream.of(jobs)
                .flatMap(job -> IntStream.range(0, WRITERS).mapToObj(writer -> disk(job, writer))).toList(),
                CheckpointFiles.EXTENSION);
    }

    private static void requireAll(TestBlocks content, CheckpointFiles files) throws IOException {
        MemorySegment bytes = MemorySegment.ofArray(new byte[(int) (BLOCKS * content.blockSizeBytes())]);
        files.read(ALL, bytes);
        content.checkAll(BlockRanges.of(ALL), bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"old new", "new old"})
    void readsFilesOfTheSaveThatIsMeantWhicheverLiesFirst(String order) throws IOException {
        CheckpointFiles files = open(order.split(" "));
        assertEquals(NEW, files.newest().orElseThrow());
        files.choose(NEW);
        requireAll(NEW_CONTENT, files);
        assertThrows(IllegalStateException.class, () -> files.choose(OLD));
        CheckpointFiles others = open(order.split(" "));
        others.choose(OLD);
        requireAll(OLD_CONTENT, others);
    }

    @ParameterizedTest
    @ValueSource(strings = {"old new", "new old"})
    void staleDisksDontHelpTheNewSave(String order) throws IOException {
        lose("new", 1);
        CheckpointFiles files = open(order.split(" "));
        files.choose(NEW);
        IOException lost = assertThrows(IOException.class, () -> requireAll(NEW_CONTENT, files));
        assertEquals("block 10 is in no file", String.valueOf(lost.getMessage()).substring(0, 22));
    }
}

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import org.restorej.ReStore;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.mpi.Programs;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.rows.LocalRows;
import org.restorej.rows.ReplicatedArray;

/**
 * Plate.java, ported: it survives the failure of any rank, also of rank 0, and writes the same file to the last bit. It
 * runs under any MPI, without MPI's Java bindings, and on threads.
 */
public class SurvivingPlate {
    static final int UP = 1;
    static final int DOWN = 2;

    final int rows;
    final int columns;
    final CheckpointLoop loop;
    final LocalRows<double[]> plate;

    SurvivingPlate(int rows, int columns, CheckpointLoop loop, LocalRows<double[]> plate) {
        this.rows = rows;
        this.columns = columns;
        this.loop = loop;
        this.plate = plate;
    }

    public static void main(String[] args) {
        Programs.run(args, 8, world -> run(world, Path.of(args[0]), Path.of(args[1]), Integer.parseInt(args[2])));
    }

    static void run(Communicator world, Path input, Path output, int steps) throws IOException {
        int[] size = new int[2];
        double[] all = world.rank() == 0 ? read(input, size) : new double[0];
        world.broadcast(size, 0);
        LoadBalancer parts = LoadBalancer.contiguous(world.size(), size[0]);
        try (ReplicatedArray<double[]> array = ReplicatedArray.ofDoubles(ReStore.builder(world), size[0], size[1]);
                CheckpointLoop loop = new CheckpointLoop(world, parts, CheckpointInterval.iterations(100))) {
            // Replaces the scatter: rank 0 submits all rows, and each rank begins with its rows of that generation.
            array.submit(world.rank() == 0 ? BlockRanges.of(0, size[0]) : BlockRanges.EMPTY, all);
            LocalRows<double[]> mine = loop.keep(array.local(rows -> new double[(int) rows.blockCount() * size[1]]));
            SurvivingPlate program = new SurvivingPlate(size[0], size[1], loop, mine);
            loop.run(steps, program::step);
            loop.evaluate(comm -> program.write(comm, output));
        }
    }

    /** Reads the plate, and its numbers of rows and columns into {@code size}. */
    static double[] read(Path file, int[] size) throws IOException {
        try (Scanner numbers = new Scanner(file)) {
            size[0] = numbers.nextInt();
            size[1] = numbers.nextInt();
            double[] all = new double[size[0] * size[1]];
            for (int i = 0; i < all.length; i++) {
                all[i] = Double.parseDouble(numbers.next());
            }
            return all;
        }
    }

    void step(Communicator comm, long step) {
        if (step % 100 == 0 && comm.rank() == 0) {
            System.out.println("step " + step);
        }
        sweep(around(comm));
    }

    /** This rank's rows between the last row of the rank above and the first row of the rank below. */
    double[] around(Communicator comm) {
        double[] mine = plate.values();
        double[] padded = new double[mine.length + 2 * columns];
        System.arraycopy(mine, 0, padded, columns, mine.length);
        if (mine.length > 0) {
            int above = loop.rankOf(first() - 1);
            int below = loop.rankOf(first() + plate.count());
            MemorySegment memory = MemorySegment.ofArray(padded);
            long row = columns * (long) Double.BYTES;
            long end = memory.byteSize() - row;
            comm.sendReceive(memory.asSlice(row, row), above, memory.asSlice(end, row), below, UP);
            comm.sendReceive(memory.asSlice(end - row, row), below, memory.asSlice(0, row), above, DOWN);
        }
        return padded;
    }

    /** Gives each point that is not on the edge of the plate the mean of its four neighbours. */
    void sweep(double[] padded) {
        double[] mine = plate.values();
        for (int row = 0; row < plate.count(); row++) {
            if (first() + row > 0 && first() + row < rows - 1) {
                for (int i = row * columns + 1; i < (row + 1) * columns - 1; i++) {
                    mine[i] = (padded[i] + padded[i + 2 * columns] + padded[i + columns - 1] + padded[i + columns + 1])
                            / 4;
                }
            }
        }
    }

    /** The rank that is 0 now writes all rows. If it fails meanwhile, the survivors call this again. */
    boolean write(Communicator comm, Path file) throws IOException {
        double[][] parts = comm.gather(plate.values(), 0);
        if (parts != null) {
            List<String> lines = new ArrayList<>(List.of(rows + " " + columns));
            for (double[] part : parts) {
                for (double temperature : part) {
                    lines.add(Double.toString(temperature));
                }
            }
            Path complete = Path.of(file + ".part");
            Files.write(complete, lines);
            Files.move(complete, file, StandardCopyOption.ATOMIC_MOVE);
        }
        comm.barrier();
        return true;
    }

    /** The first row of this rank, which has one run of rows, also after a failure. */
    long first() {
        return plate.ids().blockAt(0);
    }
}

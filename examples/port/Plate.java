import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Scanner;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * How heat spreads over a plate whose edge keeps its temperatures, by Jacobi's method: an MPI program as many are, with
 * static fields, input and output by rank 0, and messages between neighbours. It ends when any process fails.
 * SurvivingPlate.java is the same program ported.
 */
public class Plate {
    static final int ROWS = 1;
    static final int EDGE = 2;

    static int rows;
    static int columns;
    static int first;
    static int count;
    static double[] plate;
    static Intracomm world;

    public static void main(String[] args) throws MPIException, IOException {
        MPI.Init(args);
        world = MPI.COMM_WORLD;
        scatter(Path.of(args[0]));
        int steps = Integer.parseInt(args[2]);
        for (int step = 0; step < steps; step++) {
            if (step % 100 == 0 && world.getRank() == 0) {
                System.out.println("step " + step);
            }
            sweep(around());
        }
        write(Path.of(args[1]));
        MPI.Finalize();
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

    /** Rank 0 reads the plate and sends each rank its rows. */
    static void scatter(Path file) throws MPIException, IOException {
        int[] size = new int[2];
        double[] all = world.getRank() == 0 ? read(file, size) : new double[0];
        world.bcast(size, 2, MPI.INT, 0);
        rows = size[0];
        columns = size[1];
        first = firstRow(world.getRank());
        count = firstRow(world.getRank() + 1) - first;
        if (world.getRank() == 0) {
            plate = Arrays.copyOf(all, count * columns);
            for (int rank = 1; rank < world.getSize(); rank++) {
                double[] part = Arrays.copyOfRange(all, firstRow(rank) * columns, firstRow(rank + 1) * columns);
                world.send(part, part.length, MPI.DOUBLE, rank, ROWS);
            }
        } else {
            plate = new double[count * columns];
            world.recv(plate, plate.length, MPI.DOUBLE, 0, ROWS);
        }
    }

    /** This rank's rows between the last row of the rank above and the first row of the rank below. */
    static double[] around() throws MPIException {
        double[] padded = new double[plate.length + 2 * columns];
        System.arraycopy(plate, 0, padded, columns, plate.length);
        double[] edge = new double[columns];
        int rank = world.getRank();
        if (rank > 0) {
            world.sendRecv(Arrays.copyOf(plate, columns), columns, MPI.DOUBLE, rank - 1, EDGE, edge, columns,
                    MPI.DOUBLE, rank - 1, EDGE);
            System.arraycopy(edge, 0, padded, 0, columns);
        }
        if (rank < world.getSize() - 1) {
            double[] last = Arrays.copyOfRange(plate, plate.length - columns, plate.length);
            world.sendRecv(last, columns, MPI.DOUBLE, rank + 1, EDGE, edge, columns, MPI.DOUBLE, rank + 1, EDGE);
            System.arraycopy(edge, 0, padded, padded.length - columns, columns);
        }
        return padded;
    }

    /** Gives each point that is not on the edge of the plate the mean of its four neighbours. */
    static void sweep(double[] padded) {
        for (int row = 0; row < count; row++) {
            if (first + row > 0 && first + row < rows - 1) {
                for (int i = row * columns + 1; i < (row + 1) * columns - 1; i++) {
                    plate[i] = (padded[i] + padded[i + 2 * columns] + padded[i + columns - 1] + padded[i + columns + 1])
                            / 4;
                }
            }
        }
    }

    /** Rank 0 receives the rows of all ranks and writes them. */
    static void write(Path file) throws MPIException, IOException {
        if (world.getRank() > 0) {
            world.send(plate, plate.length, MPI.DOUBLE, 0, ROWS);
            return;
        }
        List<String> lines = new ArrayList<>(List.of(rows + " " + columns));
        for (int rank = 0; rank < world.getSize(); rank++) {
            double[] part = plate;
            if (rank > 0) {
                part = new double[(firstRow(rank + 1) - firstRow(rank)) * columns];
                world.recv(part, part.length, MPI.DOUBLE, rank, ROWS);
            }
            for (double temperature : part) {
                lines.add(Double.toString(temperature));
            }
        }
        Files.write(file, lines);
    }

    static int firstRow(int rank) throws MPIException {
        return (int) ((long) rows * rank / world.getSize());
    }
}

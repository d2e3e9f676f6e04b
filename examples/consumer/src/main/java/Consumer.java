import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.restorej.ReStore;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.mpi.Programs;

public class Consumer {
    static void run(Communicator world) {
        int pes = world.size();
        try (ReStore store = ReStore.builder(world).blocks(pes).blockSizeBytes(Long.BYTES).replication(2).build()) {
            store.submit(BlockRange.of(world.rank(), 1), MemorySegment.ofArray(new long[]{10 * world.rank()}));
            long[] all = new long[pes];
            store.pull(BlockRanges.of(BlockRange.of(0, pes)), MemorySegment.ofArray(all));
            System.out.println(Arrays.toString(all));
        }
    }

    public static void main(String[] args) {
        Programs.run(args, 4, Consumer::run);
    }
}

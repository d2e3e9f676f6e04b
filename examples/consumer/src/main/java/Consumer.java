import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.restorej.ReStore;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.LocalCluster;

public class Consumer {
    public static void main(String[] args) {
        LocalCluster.run(4, world -> {
            try (ReStore store = ReStore.builder(world).blocks(4).blockSizeBytes(Long.BYTES).replication(2).build()) {
                store.submit(BlockRange.of(world.rank(), 1), MemorySegment.ofArray(new long[]{10 * world.rank()}));
                long[] all = new long[4];
                store.pull(BlockRanges.of(BlockRange.of(0, 4)), MemorySegment.ofArray(all));
                return all;
            }
        }).forEach(all -> System.out.println(Arrays.toString(all)));
    }
}

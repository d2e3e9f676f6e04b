import org.restorej.loop.CheckpointInterval
import org.restorej.loop.CheckpointLoop
import org.restorej.ReStore
import org.restorej.rows.ReplicatedArray
import org.restorej.balance.LoadBalancer
import org.restorej.comm.Communicator
import org.restorej.comm.FailureSimulation
import org.restorej.comm.Reduction
import org.restorej.comm.mpi.Programs

const val NUMBERS = 1000L

/** Iteration i counts who is divided by i + 1; the primes are the numbers that have two divisors in the end. */
fun run(world: Communicator) {
    val balancer = LoadBalancer.equal(world.size(), NUMBERS)
    ReplicatedArray.ofInts(ReStore.builder(world), NUMBERS, 1).use { array ->
        CheckpointLoop(world, balancer, CheckpointInterval.iterations(100)).use { loop ->
            val divisors = loop.keep(array.local { mine -> IntArray(mine.blockCount().toInt()) })
            loop.run(NUMBERS) { comm, iteration ->
                // What was counted since iteration 500 would be counted twice, did the loop not go back to there.
                if (iteration == 550L && comm.size() == world.size()) {
                    FailureSimulation.of(comm).fail(1)
                }
                val counts = divisors.values()
                for (i in counts.indices) {
                    val number = divisors.ids().blockAt(i.toLong()) + 1
                    if (number % (iteration + 1) == 0L) {
                        counts[i]++
                    }
                }
            }
            loop.evaluate { comm ->
                val primes = comm.allReduce(divisors.values().count { it == 2 }.toLong(), Reduction.SUM)
                if (comm.rank() == 0) {
                    println("${comm.size()} of ${world.size()} PEs: $primes primes up to $NUMBERS")
                }
                primes
            }
        }
    }
}

fun main(args: Array<String>) = Programs.run(args, 4) { world -> run(world) }

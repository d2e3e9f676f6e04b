import org.restorej.ReStore
import org.restorej.loop.{CheckpointInterval, CheckpointLoop}
import org.restorej.rows.ReplicatedArray
import org.restorej.balance.LoadBalancer
import org.restorej.comm.{Communicator, FailureSimulation, Reduction}
import org.restorej.comm.mpi.Programs
import scala.util.Using

object Consumer:
  private val Numbers = 1000L

  /** Iteration i counts who is divided by i + 1; the primes are the numbers that have two divisors in the end. */
  private def run(world: Communicator): Unit =
    val balancer = LoadBalancer.equal(world.size, Numbers)
    Using.resources(
      ReplicatedArray.ofInts(ReStore.builder(world), Numbers, 1),
      CheckpointLoop(world, balancer, CheckpointInterval.iterations(100))
    ): (array, loop) =>
      val divisors = loop.keep(array.local(mine => new Array[Int](mine.blockCount.toInt)))
      loop.run(Numbers, (comm, iteration) =>
        // What was counted since iteration 500 would be counted twice, did the loop not go back to there.
        if iteration == 550 && comm.size == world.size then FailureSimulation.of(comm).fail(1)
        val counts = divisors.values
        for i <- counts.indices do
          val number = divisors.ids.blockAt(i) + 1
          if number % (iteration + 1) == 0 then counts(i) += 1
      )
      val primes = loop.evaluate(comm => comm.allReduce(divisors.values.count(_ == 2).toLong, Reduction.SUM))
      val left = loop.communicator
      if left.rank == 0 then println(s"${left.size} of ${world.size} PEs: $primes primes up to $Numbers")

  def main(args: Array[String]): Unit = Programs.run(args, 4, world => run(world))

// The life of a job with the C++ library ReStore, as org.restorej.bench.mpi.JobLife lives it with ours: by turns a
// submit, the pull of a failed PE's share by all, and the pull of another PE's whole share by each. ReStore's headers are
// not here: the compiler is told where they are. Written against its public interface: constructor, submitBlocks,
// pullBlocks.
//
// Arguments: the file for the times, bytes of a rank, turns. Rank 0 writes a line for each operation: its name, and the
// milliseconds of all its calls. Exit code 1, with a line on standard error, when a byte is wrong or anything fails.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

// ReStore's headers use these two without including them.
#include <numeric>
#include <sstream>

#include <restore/core.hpp>

namespace {

constexpr std::size_t block_bytes              = 64;
constexpr int         wanted_replication       = 4;
constexpr std::size_t permutation_range_blocks = 4096;
constexpr std::size_t word_bytes               = 8;

// What is handed to ReStore for a block: where it lies. It is not copied before it is serialized.
using Block = const std::byte*;
using Store = ReStore::ReStore<Block>;

// As org.restorej.bench.bytes.KnownBytes, sequence 0.
std::uint64_t known_word(std::uint64_t index) {
    const std::uint64_t mixed = (index + 1) * 0x9E3779B97F4A7C15ULL;
    return mixed ^ (mixed >> 29);
}

std::uint64_t number(const std::string& name, const std::string& text) {
    if (text.empty() || text.size() > 18 || text.find_first_not_of("0123456789") != std::string::npos || text == "0") {
        throw std::runtime_error(name + " must be a number of at least 1: " + text);
    }
    return std::stoull(text);
}

struct Run {
    std::size_t first; // block
    std::size_t count;
};

class Life {
public:
    explicit Life(std::size_t bytes_per_rank) : share_blocks(bytes_per_rank / block_bytes) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        source.resize(bytes_per_rank);
        const std::size_t first_word = share(rank + 1).first * block_bytes / word_bytes;
        for (std::size_t word = 0; word < bytes_per_rank / word_bytes; ++word) {
            const std::uint64_t value = known_word(first_word + word);
            std::memcpy(&source[word * word_bytes], &value, word_bytes);
        }
        of_share.resize(part_of_a_failed_pe().count * block_bytes);
        of_wholes.resize(bytes_per_rank);
    }

    void run(int turns) {
        for (int turn = 0; turn < turns; ++turn) {
            one_turn();
        }
        clear();
        const std::size_t measured = share_millis.size();
        one_turn();
        submit_millis.resize(measured);
        share_millis.resize(measured);
        wholes_millis.resize(measured);
        require(of_share, part_of_a_failed_pe(), "a failed PE's share");
        require(of_wholes, share(rank + 1), "another PE's share");
        MPI_Barrier(MPI_COMM_WORLD);
    }

    void write(const std::string& file) const {
        if (rank != 0) {
            return;
        }
        std::ofstream out(file);
        line(out, "submit", submit_millis);
        line(out, "share", share_millis);
        line(out, "wholes", wholes_millis);
        if (!out.flush()) {
            throw std::runtime_error("cannot write " + file);
        }
    }

private:
    // There is no second submit to a store: each needs a new one. Making it is not measured, nor is the last one's end.
    void one_turn() {
        store = nullptr;
        store = std::make_unique<Store>(
            MPI_COMM_WORLD, static_cast<std::uint16_t>(std::min(wanted_replication, ranks)),
            ReStore::OffsetMode::constant, block_bytes, std::min(permutation_range_blocks, blocks()));
        submit_millis.push_back(millis([this] { submit(); }));
        share_millis.push_back(millis([this] { pull(part_of_a_failed_pe(), of_share); }));
        wholes_millis.push_back(millis([this] { pull(share(rank + 1), of_wholes); }));
    }

    void submit() {
        const Run   mine = share(rank + 1);
        std::size_t next = 0;
        Block       current = nullptr;
        store->submitBlocks(
            [](const Block& block, ReStore::SerializedBlockStoreStream& stream) {
                stream.writeBytes(block, block_bytes);
            },
            [&]() -> std::optional<ReStore::NextBlock<Block>> {
                if (next == mine.count) {
                    return std::nullopt;
                }
                current = source.data() + next * block_bytes;
                return std::make_optional<ReStore::NextBlock<Block>>(mine.first + next++, current);
            },
            blocks());
    }

    void pull(Run wanted, std::vector<std::byte>& destination) {
        std::vector<std::pair<ReStore::block_id_t, std::size_t>> requests;
        if (wanted.count > 0) {
            requests.emplace_back(wanted.first, wanted.count);
        }
        store->pullBlocks(requests, [&](const std::byte* data, std::size_t length, ReStore::block_id_t block) {
            std::memcpy(destination.data() + (block - wanted.first) * block_bytes, data, length);
        });
    }

    std::size_t blocks() const {
        return static_cast<std::size_t>(ranks) * share_blocks;
    }

    // Shares follow one another round and round.
    Run share(int of) const {
        return {static_cast<std::size_t>(of % ranks) * share_blocks, share_blocks};
    }

    // This PE's part of the first share, which all read together.
    Run part_of_a_failed_pe() const {
        const std::size_t parts = static_cast<std::size_t>(ranks);
        const std::size_t part  = static_cast<std::size_t>(rank);
        const std::size_t rest  = share_blocks % parts;
        return {part * (share_blocks / parts) + std::min(part, rest), share_blocks / parts + (part < rest ? 1 : 0)};
    }

    static double millis(const std::function<void()>& operation) {
        MPI_Barrier(MPI_COMM_WORLD);
        const auto start = std::chrono::steady_clock::now();
        operation();
        MPI_Barrier(MPI_COMM_WORLD);
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    }

    void clear() {
        std::memset(of_share.data(), 0xEE, of_share.size());
        std::memset(of_wholes.data(), 0xEE, of_wholes.size());
    }

    static void require(const std::vector<std::byte>& found, Run run, const std::string& what) {
        const std::size_t first_word = run.first * block_bytes / word_bytes;
        for (std::size_t word = 0; word < found.size() / word_bytes; ++word) {
            std::uint64_t value;
            std::memcpy(&value, &found[word * word_bytes], word_bytes);
            if (value != known_word(first_word + word)) {
                throw std::runtime_error(what + ": wrong bytes at offset " + std::to_string(word * word_bytes));
            }
        }
    }

    static void line(std::ostream& out, const std::string& name, const std::vector<double>& all) {
        out << name;
        for (const double each : all) {
            out << ' ' << each;
        }
        out << '\n';
    }

    const std::size_t      share_blocks;
    int                    rank  = 0;
    int                    ranks = 0;
    std::vector<std::byte> source;
    std::vector<std::byte> of_share;
    std::vector<std::byte> of_wholes;
    std::unique_ptr<Store> store;
    std::vector<double>    submit_millis;
    std::vector<double>    share_millis;
    std::vector<double>    wholes_millis;
};

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    try {
        if (argc != 5) {
            throw std::runtime_error("arguments: FILE BYTES-OF-A-RANK TURNS RANKS");
        }
        const std::uint64_t bytes = number("BYTES-OF-A-RANK", argv[2]);
        if (bytes % block_bytes != 0) {
            throw std::runtime_error("BYTES-OF-A-RANK must be a multiple of 64: " + std::to_string(bytes));
        }
        int ranks = 0;
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        // Under the launcher of another MPI each process would be alone, and all of them measure one rank.
        if (number("RANKS", argv[4]) != static_cast<std::uint64_t>(ranks)) {
            throw std::runtime_error(std::string("RANKS must be as many as MPI has started: ") + argv[4]
                                     + ", and MPI has " + std::to_string(ranks)
                                     + "; is the compiler that of the same Open MPI as mpirun?");
        }
        Life life(bytes);
        life.run(static_cast<int>(number("TURNS", argv[3])));
        life.write(argv[1]);
    } catch (const std::exception& failure) {
        std::cerr << "C++ ReStore: " << failure.what() << std::endl;
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}

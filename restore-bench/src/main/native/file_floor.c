/*
 * The bytes' way when files are protected: processes that each read a file, compute CRC-32C of it, get the pieces of
 * the others, add them, and write one redundancy file, by turns with losing files and rebuilding them. No MPI, no
 * agreement, no metadata. The sums are redset's, byte for byte; its headers are left out.
 *
 * Needs Linux, and no library: cc -O3 -march=native file_floor.c -o file_floor -ldl -pthread
 * Sums of Reed-Solomon are by ISA-L where it can be loaded. Exit codes: 0 done, 1 failed, 2 wrong usage.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined(__SSE4_2__)
#include <nmmintrin.h>
#define CRC_WORD(crc, word) ((uint32_t) _mm_crc32_u64(crc, word))
#elif defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#define CRC_WORD(crc, word) __crc32cd(crc, word)
#endif

typedef unsigned char byte;

enum scheme { XOR, RS, PARTNER, SCHEMES };
enum kind { DATA, REDUNDANCY };
enum { MOST_PROCESSES = 64, MOST_ROWS = 2 * MOST_PROCESSES, CHECKSUMS = 2, MOST_ROUNDS = 1000 };
enum { PAGE = 4096, BLOCK = 4096 };
enum { APPLY, RECOVER, OPERATIONS };

static const char *const SCHEME_NAMES[] = {"XOR", "RS", "PARTNER"};
static const char *const OPERATION_NAMES[] = {"apply", "recover"};

/*
 * BASE: pieces are copied from process to process, a redundancy file is made anew and takes the place of the one before.
 * BEST, the fastest that was found: pieces are in memory that all processes see, and the redundancy file before the last
 * is overwritten and then exchanged with the last.
 */
enum way { BASE, BEST, WAYS };
static const char *const WAY_NAMES[] = {"base", "shared+spare"};

/* Bytes of a rank's file, or of its redundancy. */
struct extent {
    int rank;
    enum kind kind;
    long start;
};

/* Targets are sums of sources. A row without targets is only read. */
struct row {
    int sources, targets;
    struct extent source[MOST_PROCESSES], target[CHECKSUMS];
    byte coefficient[CHECKSUMS * MOST_PROCESSES]; /* those of the first target first */
    byte tables[32 * CHECKSUMS * MOST_PROCESSES]; /* ISA-L's */
};

struct plan {
    int rows;
    long length; /* of each row */
    struct row row[MOST_ROWS];
};

struct sums {
    uint32_t file, section[CHECKSUMS];
};

struct common {
    pthread_barrier_t barrier;
    pid_t pid[MOST_PROCESSES];
    struct sums sums[MOST_PROCESSES];
    double millis[OPERATIONS][MOST_ROUNDS];
};

static int processes = 4, rounds = 8, me, sync_files = 1;
static long bytes = 64L << 20, piece_bytes = 256L << 10;
static enum scheme scheme;
static enum way way;
static const char *directory;
static struct common *common;
static struct plan plans[OPERATIONS];
static byte *region;  /* pieces of all ranks, at the same addresses in all processes */
static long of_rank;  /* bytes of it */
static int input[2], output[2];
static uint32_t crcs[MOST_ROWS];
static byte product[256][256];

/* A line in one go, as several processes may say something. */
static void say(const char *format, va_list arguments) {
    char line[2 * PATH_MAX];
    vsnprintf(line, sizeof line, format, arguments);
    fprintf(stderr, "file_floor: %s\n", line);
}

static void __attribute__((noreturn, format(printf, 1, 2))) die(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    _exit(1);
}

/* ---- Checksums: CRC-32C, three streams at once, joined as zlib's crc32_combine does. */

static uint32_t multiply(uint32_t left, uint32_t right) {
    uint32_t result = 0;
    for (uint32_t bit = 1u << 31; bit; bit >>= 1) {
        if (left & bit) result ^= right;
        right = right & 1 ? right >> 1 ^ 0x82F63B78u : right >> 1;
    }
    return result;
}

static uint32_t combine(uint32_t crc, uint32_t following, long length) {
    static uint32_t powers[66], last_shift;
    static long last_length = -1;
    if (!powers[0]) {
        powers[0] = 1u << 30;
        for (int i = 1; i < 66; i++) powers[i] = multiply(powers[i - 1], powers[i - 1]);
    }
    if (length != last_length) {
        last_shift = 1u << 31;
        for (int power = 3; length >> (power - 3); power++)
            if (length >> (power - 3) & 1) last_shift = multiply(powers[power], last_shift);
        last_length = length;
    }
    return multiply(last_shift, crc) ^ following;
}

static uint32_t plain_crc(uint32_t crc, const byte *at, long length) {
    static uint32_t table[256];
    if (!table[1])
        for (uint32_t i = 0; i < 256; i++) {
            table[i] = i;
            for (int bit = 0; bit < 8; bit++) table[i] = table[i] & 1 ? table[i] >> 1 ^ 0x82F63B78u : table[i] >> 1;
        }
    crc = ~crc;
    while (length-- > 0) crc = crc >> 8 ^ table[(crc ^ *at++) & 255];
    return ~crc;
}

static uint32_t crc_of(const byte *at, long length) {
#ifdef CRC_WORD
    long third = length / 24;
    uint32_t first = ~0u, second = ~0u, last = ~0u;
    for (long i = 0; i < third; i++) {
        uint64_t words[3];
        memcpy(words, at + 8 * i, 8);
        memcpy(words + 1, at + 8 * (third + i), 8);
        memcpy(words + 2, at + 8 * (2 * third + i), 8);
        first = CRC_WORD(first, words[0]);
        second = CRC_WORD(second, words[1]);
        last = CRC_WORD(last, words[2]);
    }
    uint32_t crc = third ? combine(combine(~first, ~second, 8 * third), ~last, 8 * third) : 0;
    return plain_crc(crc, at + 24 * third, length - 24 * third);
#else
    return plain_crc(0, at, length);
#endif
}

/* ---- Arithmetic */

typedef void (*init_function)(int, int, byte *, byte *);
typedef void (*encode_function)(int, int, int, byte *, byte **, byte **);
static init_function init_tables;
static encode_function encode;

static void prepare_arithmetic(void) {
    for (int i = 0; i < 256; i++)
        for (int j = 0; j < 256; j++) {
            int result = 0, shifted = i;
            for (int bit = 0; bit < 8; bit++) {
                if (j >> bit & 1) result ^= shifted;
                shifted = shifted << 1 ^ (shifted & 128 ? 0x11D : 0);
            }
            product[i][j] = (byte) result;
        }
    void *library = dlopen("libisal.so.2", RTLD_NOW);
    if (library != NULL) {
        init_tables = (init_function) dlsym(library, "ec_init_tables");
        encode = (encode_function) dlsym(library, "ec_encode_data");
    }
    if (!init_tables) encode = NULL;
}

static byte inverse(byte of) {
    int i = 1;
    while (product[of][i] != 1) i++;
    return (byte) i;
}

/* Coefficient of a rank in a checksum. */
static byte parity(int checksum, int rank) {
    byte result = 1;
    for (int i = 0; i < processes; i++)
        if (i != rank)
            result = product[result][product[(processes + checksum) ^ i][inverse((byte) (rank ^ i))]];
    return result;
}

static void add(byte *restrict to, const byte *restrict from, long length) {
    for (long i = 0; i < length; i++) to[i] ^= from[i];
}

static void add_product(byte *restrict to, const byte *restrict from, byte factor, long length) {
    for (long i = 0; i < length; i++) {
        byte x = from[i], sum = 0;
        for (int bit = 0; bit < 8; bit++) {
            sum ^= (byte) (x & -(factor >> bit & 1));
            x = (byte) (x << 1 ^ (0x1D & -(x >> 7)));
        }
        to[i] ^= sum;
    }
}

static int is_xor(const struct row *row) {
    for (int i = 0; i < row->targets * row->sources; i++)
        if (row->coefficient[i] != 1) return 0;
    return row->targets == 1;
}

static int is_copy(const struct row *row) {
    return row->sources == 1 && is_xor(row);
}

static void sum(struct row *row, byte **from, byte **to, long length) {
    if (!is_xor(row) && encode) {
        encode((int) length, row->sources, row->targets, row->tables, from, to);
        return;
    }
    for (long at = 0; at < length; at += BLOCK) {
        size_t part = (size_t) (length - at < BLOCK ? length - at : BLOCK);
        for (int t = 0; t < row->targets; t++) {
            const byte *coefficient = row->coefficient + t * row->sources;
            memset(to[t] + at, 0, part);
            for (int s = 0; s < row->sources; s++) {
                if (is_xor(row)) add(to[t] + at, from[s] + at, (long) part);
                else add_product(to[t] + at, from[s] + at, coefficient[s], (long) part);
            }
        }
    }
}

/* ---- Which bytes are sums of which: REDSET-FORMAT of redset 0.4.0 */

static int modulo(int value) {
    return (value % processes + processes) % processes;
}

static long chunk_bytes(void) {
    long parts = scheme == PARTNER ? 1 : scheme == XOR ? processes - 1 : processes - CHECKSUMS;
    return (bytes + parts - 1) / parts;
}

static long redundancy_bytes(void) {
    return chunk_bytes() * (scheme == RS ? CHECKSUMS : 1);
}

/* Which checksum a rank has in a row; a number that is none when it has data there. */
static int checksum_in(int row, int rank) {
    return scheme == XOR ? row == rank ? 0 : CHECKSUMS : modulo(row - rank);
}

static struct extent extent_in(int row, int rank) {
    int checksums = scheme == XOR ? 1 : CHECKSUMS, chunk = 0;
    if (checksum_in(row, rank) < checksums)
        return (struct extent) {rank, REDUNDANCY, checksum_in(row, rank) * chunk_bytes()};
    for (int i = 0; i < row; i++) chunk += checksum_in(i, rank) >= checksums;
    return (struct extent) {rank, DATA, chunk * chunk_bytes()};
}

static int lost_ranks(void) {
    return scheme == RS ? CHECKSUMS : 1;
}

static void plan_xor(int row, int lost, struct row *to) {
    for (int rank = 0; rank < processes; rank++) {
        int is_target = lost ? rank < lost : rank == row;
        if (is_target) to->target[to->targets++] = extent_in(row, rank);
        else to->source[to->sources++] = extent_in(row, rank);
    }
    memset(to->coefficient, 1, (size_t) to->sources);
}

static void plan_checksums(int row, struct row *to) {
    for (int checksum = 0; checksum < CHECKSUMS; checksum++)
        to->target[to->targets++] = extent_in(row, modulo(row - checksum));
    for (int rank = 0; rank < processes; rank++)
        if (extent_in(row, rank).kind == DATA) to->source[to->sources++] = extent_in(row, rank);
    for (int t = 0; t < CHECKSUMS; t++)
        for (int s = 0; s < to->sources; s++)
            to->coefficient[t * to->sources + s] = parity(t, to->source[s].rank);
}

/* What ranks 0 and 1 have lost, by what the others have in a row. */
static void plan_rebuild(int row, struct row *to) {
    static byte value[MOST_PROCESSES][MOST_PROCESSES]; /* data of a rank, in terms of sources */
    byte equation[CHECKSUMS][CHECKSUMS] = {{0}}, right[CHECKSUMS][MOST_PROCESSES];
    int unknown[CHECKSUMS], unknowns = 0, equations = 0;
    memset(value, 0, sizeof value);
    memset(right, 0, sizeof right);
    for (int rank = 0; rank < processes; rank++) {
        struct extent extent = extent_in(row, rank);
        if (rank < lost_ranks()) {
            to->target[to->targets++] = extent;
            if (extent.kind == DATA) unknown[unknowns++] = rank;
        } else {
            if (extent.kind == DATA) value[rank][to->sources] = 1;
            to->source[to->sources++] = extent;
        }
    }
    for (int s = 0; s < to->sources; s++) {
        if (to->source[s].kind == DATA) continue;
        int checksum = checksum_in(row, to->source[s].rank);
        right[equations][s] = 1;
        for (int data = 0; data < to->sources; data++)
            if (to->source[data].kind == DATA) right[equations][data] = parity(checksum, to->source[data].rank);
        for (int u = 0; u < unknowns; u++) equation[equations][u] = parity(checksum, unknown[u]);
        equations++;
    }
    /* No minor of the parity matrix is zero, so no row has to be exchanged. */
    for (int u = 0; u < unknowns; u++) {
        byte factor = inverse(equation[u][u]);
        for (int i = 0; i < unknowns; i++) equation[u][i] = product[factor][equation[u][i]];
        for (int s = 0; s < to->sources; s++) right[u][s] = product[factor][right[u][s]];
        for (int other = 0; other < unknowns; other++) {
            byte times = equation[other][u];
            if (other == u) continue;
            for (int i = 0; i < unknowns; i++) equation[other][i] ^= product[times][equation[u][i]];
            for (int s = 0; s < to->sources; s++) right[other][s] ^= product[times][right[u][s]];
        }
    }
    for (int u = 0; u < unknowns; u++) memcpy(value[unknown[u]], right[u], MOST_PROCESSES);
    for (int t = 0; t < to->targets; t++)
        for (int s = 0; s < to->sources; s++) {
            byte factor = value[to->target[t].rank][s];
            if (to->target[t].kind == REDUNDANCY)
                for (int rank = 0; rank < processes; rank++)
                    if (extent_in(row, rank).kind == DATA)
                        factor ^= product[parity(checksum_in(row, to->target[t].rank), rank)][value[rank][s]];
            to->coefficient[t * to->sources + s] = factor;
        }
}

/* Each rank has a copy of its left neighbour's file. The first one gets both back; the others only read. */
static void plan_copies(struct plan *plan, int lost) {
    for (int rank = 0; rank < processes; rank++) {
        struct extent data = {rank, DATA, 0}, copy = {(rank + 1) % processes, REDUNDANCY, 0};
        int ends = lost && rank && copy.rank ? 2 : 1;
        for (int end = 0; end < ends; end++) {
            struct row *row = &plan->row[plan->rows++];
            int backwards = lost && (ends == 2 ? end : rank == 0);
            row->source[row->sources++] = backwards ? copy : data;
            if (ends == 1) row->target[row->targets++] = backwards ? data : copy;
            row->coefficient[0] = 1;
        }
    }
}

static void make_plan(struct plan *plan, int lost) {
    memset(plan, 0, sizeof *plan);
    plan->length = chunk_bytes();
    if (scheme == PARTNER) {
        plan_copies(plan, lost);
        return;
    }
    plan->rows = processes;
    for (int i = 0; i < processes; i++) {
        struct row *row = &plan->row[i];
        if (scheme == XOR) plan_xor(i, lost, row);
        else if (lost) plan_rebuild(i, row);
        else plan_checksums(i, row);
        if (encode) init_tables(row->sources, row->targets, row->coefficient, row->tables);
    }
}

/* ---- Files */

static void name_of(char *name, int rank, enum kind kind, const char *end) {
    snprintf(name, PATH_MAX, "%s/%s.%d%s", directory, kind == DATA ? "file" : "redundancy", rank, end);
}

static long size_of(enum kind kind) {
    return kind == DATA ? bytes : redundancy_bytes();
}

static int open_file(int rank, enum kind kind, const char *end, int flags) {
    char name[PATH_MAX];
    name_of(name, rank, kind, end);
    int file = open(name, flags, 0600);
    if (file < 0) die("%s: %s", name, strerror(errno));
    return file;
}

static void read_all(int file, byte *to, long length, long at) {
    for (long done = 0; done < length;) {
        ssize_t part = pread(file, to + done, (size_t) (length - done), at + done);
        if (part <= 0) die("a file can't be read at %ld: %s", at + done, part ? strerror(errno) : "it ends");
        done += part;
    }
}

static void write_all(int file, const byte *from, long length, long at) {
    for (long done = 0; done < length;) {
        ssize_t part = pwrite(file, from + done, (size_t) (length - done), at + done);
        if (part < 0) die("a file can't be written at %ld: %s", at + done, strerror(errno));
        done += part;
    }
}

static void rename_file(int rank, enum kind kind, const char *from, const char *to, unsigned flags) {
    char old_name[PATH_MAX], new_name[PATH_MAX];
    name_of(old_name, rank, kind, from);
    name_of(new_name, rank, kind, to);
    if (renameat2(AT_FDCWD, old_name, AT_FDCWD, new_name, flags)
            && !(flags && errno == ENOENT && !rename(old_name, new_name)))
        die("%s: %s", new_name, strerror(errno));
}

static void remove_file(int rank, enum kind kind, const char *end) {
    char name[PATH_MAX];
    name_of(name, rank, kind, end);
    unlink(name);
}

/* How a redundancy file is written; what is rebuilt always gets new files. */
static const char *written_name(enum kind kind) {
    return kind == REDUNDANCY && way == BEST ? ".spare" : ".new";
}

static void open_inputs(const struct plan *plan) {
    for (int i = 0; i < plan->rows; i++)
        for (int s = 0; s < plan->row[i].sources; s++) {
            struct extent extent = plan->row[i].source[s];
            if (extent.rank == me && input[extent.kind] < 0)
                input[extent.kind] = open_file(me, extent.kind, "", O_RDONLY);
        }
}

static void open_outputs(const struct plan *plan) {
    for (int i = 0; i < plan->rows; i++)
        for (int t = 0; t < plan->row[i].targets; t++) {
            struct extent extent = plan->row[i].target[t];
            if (extent.rank != me || output[extent.kind] >= 0) continue;
            int file = open_file(me, extent.kind, written_name(extent.kind), O_RDWR | O_CREAT);
            if (ftruncate(file, size_of(extent.kind))) die("ftruncate: %s", strerror(errno));
            output[extent.kind] = file;
        }
}

static void write_sums(void) {
    char name[PATH_MAX], text[64];
    int length = snprintf(text, sizeof text, "%08x %08x %08x\n", common->sums[me].file, common->sums[me].section[0],
                          common->sums[me].section[1]);
    snprintf(name, sizeof name, "%s/sums.%d", directory, me);
    int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0) die("%s: %s", name, strerror(errno));
    write_all(file, (byte *) text, length, 0);
    close(file);
}

static void publish(void) {
    for (int kind = DATA; kind <= REDUNDANCY; kind++) {
        const char *written = written_name((enum kind) kind);
        if (output[kind] < 0) continue;
        if (sync_files && fsync(output[kind])) die("fsync: %s", strerror(errno));
        close(output[kind]);
        rename_file(me, (enum kind) kind, written, "", kind == REDUNDANCY && way == BEST ? RENAME_EXCHANGE : 0);
    }
    int folder = open(directory, O_RDONLY);
    if (sync_files && fsync(folder)) die("fsync: %s", strerror(errno));
    close(folder);
}

static void close_inputs(void) {
    for (int kind = DATA; kind <= REDUNDANCY; kind++)
        if (input[kind] >= 0) close(input[kind]);
}

/* ---- Pieces: each is read in one step, added in the next, and written by who has not added it in the one after */

static byte *buffer(int rank, long piece, int row, int number) {
    return region + rank * of_rank + (((piece & 1) * MOST_ROWS + row) * (1 + CHECKSUMS) + number) * piece_bytes;
}

static byte *gathered(int source) {
    return region + me * of_rank + (2 * MOST_ROWS * (1 + CHECKSUMS) + source) * piece_bytes;
}

/* How much of a piece is in its file. */
static long within(struct extent extent, long at, long length) {
    long rest = size_of(extent.kind) - extent.start - at;
    return rest < 0 ? 0 : rest < length ? rest : length;
}

static long length_of(const struct plan *plan, long piece) {
    long rest = plan->length - piece * piece_bytes;
    return rest < piece_bytes ? rest : piece_bytes;
}

static void note(int row, const byte *at, long length) {
    crcs[row] = combine(crcs[row], crc_of(at, length), length);
}

static void fetch(byte *to, int rank, byte *from, long length) {
    if (way == BEST || rank == me) {
        memcpy(to, from, (size_t) length);
        return;
    }
    for (long done = 0; done < length;) {
        struct iovec here = {to + done, (size_t) (length - done)}, there = {from + done, (size_t) (length - done)};
        ssize_t part = process_vm_readv(common->pid[rank], &here, 1, &there, 1, 0);
        if (part <= 0) die("process_vm_readv: %s", strerror(errno));
        done += part;
    }
}

static void read_piece(struct extent extent, int row, long piece, long length) {
    byte *to = buffer(me, piece, row, 0);
    long present = within(extent, piece * piece_bytes, length);
    read_all(input[extent.kind], to, present, extent.start + piece * piece_bytes);
    memset(to + present, 0, (size_t) (length - present));
    note(row, to, present);
}

static void write_piece(struct extent extent, int row, long piece, long length, byte *from) {
    long present = within(extent, piece * piece_bytes, length);
    note(row, from, present);
    write_all(output[extent.kind], from, present, extent.start + piece * piece_bytes);
}

/* Who adds a piece: who wants it, or of those that have it each in turn. */
static int adder(const struct row *row, int operation, long piece) {
    return operation == APPLY || row->sources == 1 ? row->target[0].rank : row->source[piece % row->sources].rank;
}

static void add_piece(struct row *row, int number, long piece, long length) {
    byte *from[MOST_PROCESSES], *to[CHECKSUMS];
    for (int t = 0; t < row->targets; t++) to[t] = buffer(me, piece, number, 1 + t);
    for (int s = 0; s < row->sources; s++) {
        struct extent extent = row->source[s];
        from[s] = buffer(extent.rank, piece, number, 0);
        if (extent.rank != me && way == BASE) {
            byte *copy = is_copy(row) ? to[0] : gathered(s);
            fetch(copy, extent.rank, from[s], length);
            from[s] = copy;
        }
    }
    if (is_copy(row)) to[0] = from[0];
    else sum(row, from, to, length);
    for (int t = 0; t < row->targets; t++)
        if (row->target[t].rank == me) write_piece(row->target[t], number, piece, length, to[t]);
}

static void take_pieces(const struct plan *plan, int operation, long piece) {
    long length = length_of(plan, piece);
    for (int i = 0; i < plan->rows; i++) {
        const struct row *row = &plan->row[i];
        for (int t = 0; t < row->targets; t++) {
            int from = adder(row, operation, piece);
            if (row->target[t].rank != me || from == me) continue;
            byte *at = buffer(from, piece, i, 1 + t);
            if (way == BASE) {
                byte *copy = buffer(me, piece, i, 1 + t);
                fetch(copy, from, at, length);
                at = copy;
            }
            write_piece(row->target[t], i, piece, length, at);
        }
    }
}

static void exchange(struct plan *plan, int operation) {
    long pieces = (plan->length + piece_bytes - 1) / piece_bytes;
    for (long step = 0; step < pieces + 2; step++) {
        for (int i = 0; i < plan->rows && step < pieces; i++)
            for (int s = 0; s < plan->row[i].sources; s++)
                if (plan->row[i].source[s].rank == me)
                    read_piece(plan->row[i].source[s], i, step, length_of(plan, step));
        for (int i = 0; i < plan->rows && step > 0 && step - 1 < pieces; i++)
            if (plan->row[i].targets && adder(&plan->row[i], operation, step - 1) == me)
                add_piece(&plan->row[i], i, step - 1, length_of(plan, step - 1));
        if (step > 1) take_pieces(plan, operation, step - 2);
        pthread_barrier_wait(&common->barrier);
    }
}

/* Checksums of what this rank has read and written, put together in the order of its files. */
static struct sums sums_of(const struct plan *plan) {
    struct sums sums = {0, {0, 0}};
    for (int i = 0; i < plan->rows; i++) {
        const struct row *row = &plan->row[i];
        for (int e = 0; e < row->sources + row->targets; e++) {
            struct extent extent = e < row->sources ? row->source[e] : row->target[e - row->sources];
            if (extent.rank != me) continue;
            if (extent.kind == DATA) sums.file = combine(sums.file, crcs[i], within(extent, 0, plan->length));
            else sums.section[extent.start / plan->length] = crcs[i];
        }
    }
    return sums;
}

static void operate(int operation) {
    struct plan *plan = &plans[operation];
    memset(crcs, 0, sizeof crcs);
    memset(input, -1, sizeof input);
    memset(output, -1, sizeof output);
    open_inputs(plan);
    open_outputs(plan);
    exchange(plan, operation);
    struct sums sums = sums_of(plan);
    if (operation == APPLY) common->sums[me] = sums;
    else if (memcmp(&sums, &common->sums[me], sizeof sums)) die("rank %d has other checksums than were noted", me);
    if (operation == APPLY || me < lost_ranks()) write_sums();
    publish();
    close_inputs();
}

/* ---- Contents, and whether they are right; by other code than what is measured */

static uint64_t content(int rank, long word) {
    uint64_t x = ((uint64_t) rank << 40) + (uint64_t) word + 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

static void fill(byte *to, int rank) {
    for (long at = 0; at < bytes; at += 8) {
        uint64_t word = content(rank, at / 8);
        memcpy(to + at, &word, (size_t) (bytes - at < 8 ? bytes - at : 8));
    }
}

static void create_file(void) {
    byte *all = aligned_alloc(PAGE, (size_t) ((bytes + PAGE - 1) / PAGE * PAGE));
    if (all == NULL) die("no memory for a file of %ld bytes", bytes);
    fill(all, me);
    int file = open_file(me, DATA, "", O_WRONLY | O_CREAT | O_TRUNC);
    write_all(file, all, bytes, 0);
    if (sync_files) fsync(file);
    close(file);
    free(all);
}

static byte *contents_of(int rank, enum kind kind) {
    char name[PATH_MAX];
    struct stat status;
    name_of(name, rank, kind, "");
    int file = open(name, O_RDONLY);
    if (file < 0 || fstat(file, &status)) die("check: %s: %s", name, strerror(errno));
    if (status.st_size != size_of(kind))
        die("check: %s has %ld bytes and not %ld", name, (long) status.st_size, size_of(kind));
    byte *all = mmap(NULL, (size_t) size_of(kind), PROT_READ, MAP_PRIVATE, file, 0);
    if (all == MAP_FAILED) die("check: %s: %s", name, strerror(errno));
    close(file);
    return all;
}

/* What a rank must have: by the definition of each byte. */
static void right_redundancy(byte **files, int rank, byte *to) {
    long chunk = chunk_bytes();
    memset(to, 0, (size_t) redundancy_bytes());
    for (int checksum = 0; checksum < (scheme == RS ? CHECKSUMS : 1); checksum++)
        for (int other = 0; other < processes; other++) {
            int row = modulo(rank + checksum), checksums = scheme == XOR ? 1 : CHECKSUMS;
            long start = 0;
            if (scheme == PARTNER ? other != modulo(rank - 1) : modulo(row - other) < checksums) continue;
            for (int i = 0; i < row && scheme != PARTNER; i++) start += modulo(i - other) < checksums ? 0 : chunk;
            byte factor = scheme == RS ? parity(checksum, other) : 1;
            for (long i = 0; i < chunk && start + i < bytes; i++)
                to[checksum * chunk + i] ^= product[factor][files[other][start + i]];
        }
}

static void check_sums(int rank, const byte *file, const byte *redundancy) {
    char name[PATH_MAX];
    struct sums sums;
    snprintf(name, sizeof name, "%s/sums.%d", directory, rank);
    FILE *stream = fopen(name, "r");
    if (stream == NULL) die("check: %s: %s", name, strerror(errno));
    if (fscanf(stream, "%x %x %x", &sums.file, &sums.section[0], &sums.section[1]) != 3)
        die("check: %s has no checksums", name);
    fclose(stream);
    int right = sums.file == plain_crc(0, file, bytes);
    for (int i = 0; i < (scheme == RS ? CHECKSUMS : 1); i++)
        right &= sums.section[i] == plain_crc(0, redundancy + i * chunk_bytes(), chunk_bytes());
    if (!right) die("check: %s has wrong checksums", name);
}

/* Reads the files that a run has left. */
static void check(void) {
    byte *files[MOST_PROCESSES], *right = malloc((size_t) (bytes + redundancy_bytes()));
    if (right == NULL) die("no memory for %ld bytes", bytes + redundancy_bytes());
    for (int rank = 0; rank < processes; rank++) {
        files[rank] = contents_of(rank, DATA);
        fill(right, rank);
        for (long i = 0; i < bytes; i++)
            if (files[rank][i] != right[i]) die("check: file.%d is wrong at %ld", rank, i);
    }
    for (int rank = 0; rank < processes; rank++) {
        byte *redundancy = contents_of(rank, REDUNDANCY);
        right_redundancy(files, rank, right);
        for (long i = 0; i < redundancy_bytes(); i++)
            if (redundancy[i] != right[i]) die("check: redundancy.%d is wrong at %ld", rank, i);
        check_sums(rank, files[rank], redundancy);
        munmap(redundancy, (size_t) redundancy_bytes());
    }
    for (int rank = 0; rank < processes; rank++) munmap(files[rank], (size_t) bytes);
    free(right);
}

/* ---- Processes, and times */

static double timed(int operation) {
    struct timespec start, end;
    pthread_barrier_wait(&common->barrier);
    clock_gettime(CLOCK_MONOTONIC, &start);
    operate(operation);
    pthread_barrier_wait(&common->barrier);
    clock_gettime(CLOCK_MONOTONIC, &end);
    return 1e3 * (double) (end.tv_sec - start.tv_sec) + 1e-6 * (double) (end.tv_nsec - start.tv_nsec);
}

static void remove_files(int rank) {
    static const char *const ends[] = {"", ".new", ".spare"};
    char name[PATH_MAX];
    for (int kind = DATA; kind <= REDUNDANCY; kind++)
        for (int end = 0; end < 3; end++) remove_file(rank, (enum kind) kind, ends[end]);
    snprintf(name, sizeof name, "%s/sums.%d", directory, rank);
    unlink(name);
}

static void __attribute__((noreturn)) live(int rank, pid_t parent) {
    me = rank;
    /* Who starts this program may end it, and siblings read one another's memory. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
#ifdef PR_SET_PTRACER
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
#endif
    common->pid[me] = getpid();
    create_file();
    for (int round = 0; round < rounds; round++) {
        double millis = timed(APPLY);
        if (me == 0) common->millis[APPLY][round] = millis;
        if (me < lost_ranks()) remove_files(me);
        millis = timed(RECOVER);
        if (me == 0) common->millis[RECOVER][round] = millis;
    }
    _exit(0);
}

static void *memory(long length, int flags, int protection) {
    void *at = mmap(NULL, (size_t) length, protection, flags | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) die("mmap of %ld bytes: %s", length, strerror(errno));
    return at;
}

static void await_all(pid_t *pid) {
    int failed = 0;
    for (int left = processes; left > 0; left--) {
        int status;
        pid_t ended = wait(&status);
        for (int i = 0; i < processes; i++)
            if (pid[i] == ended) pid[i] = 0;
        if (!failed && !(WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
            failed = 1;
            for (int i = 0; i < processes; i++)
                if (pid[i]) kill(pid[i], SIGKILL);
        }
    }
    if (failed) {
        for (int rank = 0; rank < processes; rank++) remove_files(rank);
        die("a process has failed");
    }
}

static pid_t pid[MOST_PROCESSES];

/* Told to stop: nothing is left behind. */
static void stop(int signal_number) {
    for (int rank = 0; rank < processes; rank++)
        if (pid[rank] > 0) kill(pid[rank], SIGKILL);
    while (wait(NULL) > 0) {}
    for (int rank = 0; rank < processes; rank++) remove_files(rank);
    _exit(128 + signal_number);
}

static void run(void) {
    memset(pid, 0, sizeof pid);
    pthread_barrierattr_t attributes;
    common = memory(sizeof *common, MAP_SHARED, PROT_READ | PROT_WRITE);
    pthread_barrierattr_init(&attributes);
    pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&common->barrier, &attributes, (unsigned) processes);
    of_rank = (2 * MOST_ROWS * (1 + CHECKSUMS) + MOST_PROCESSES) * piece_bytes;
    region = memory(processes * of_rank, way == BEST ? MAP_SHARED : MAP_PRIVATE, PROT_READ | PROT_WRITE);
    make_plan(&plans[APPLY], 0);
    make_plan(&plans[RECOVER], lost_ranks());
    pid_t parent = getpid();
    for (int rank = 0; rank < processes; rank++) {
        pid[rank] = fork();
        if (pid[rank] == 0) {
            signal(SIGINT, SIG_DFL);
            signal(SIGTERM, SIG_DFL);
            live(rank, parent);
        }
        if (pid[rank] < 0) die("fork: %s", strerror(errno));
    }
    await_all(pid);
    munmap(region, (size_t) (processes * of_rank));
}

static int ascending(const void *left, const void *right) {
    double a = *(const double *) left, b = *(const double *) right;
    return (a > b) - (a < b);
}

static void print(void) {
    for (int operation = 0; operation < OPERATIONS; operation++) {
        double *all = common->millis[operation], later[MOST_ROUNDS];
        int count = rounds > 3 ? rounds - 3 : 0;
        printf("%s %s %s first %.2f", SCHEME_NAMES[scheme], OPERATION_NAMES[operation], WAY_NAMES[way], all[0]);
        if (rounds > 2) printf(" third %.2f", all[2]);
        if (count) {
            memcpy(later, all + 3, (size_t) count * sizeof *later);
            qsort(later, (size_t) count, sizeof *later, ascending);
            printf(" later %.2f", (later[(count - 1) / 2] + later[count / 2]) / 2);
        }
        printf(" rounds");
        for (int round = 0; round < rounds; round++) printf(" %.2f", all[round]);
        printf("\n");
    }
    fflush(stdout);
}

/* ---- Options */

static int errors;

static void __attribute__((format(printf, 1, 2))) wrong(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    errors++;
}

static long number(const char *option, const char *text, long least, long most) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno || end == text || *end || value < least || value > most) {
        wrong("%s must be in %ld..%ld: %s=%s", option, least, most, option, text);
        return least;
    }
    return value;
}

static int named(const char *option, const char *text, const char *const *names, int count, const char *all) {
    for (int i = 0; i < count; i++)
        if (!strcmp(text, names[i])) return i;
    wrong("%s must be %s: %s=%s", option, all, option, text);
    return 0;
}

static void check_processes(int chosen) {
    int least = chosen == RS ? CHECKSUMS + 1 : 2;
    if (processes < least)
        wrong("--processes must be at least %d with %s: --processes=%d", least, SCHEME_NAMES[chosen], processes);
}

/* Files of others are neither overwritten nor removed. */
static void refuse_files(void) {
    char name[PATH_MAX];
    for (int rank = 0; rank < processes; rank++)
        for (int kind = DATA; kind <= REDUNDANCY; kind++) {
            snprintf(name, sizeof name, "%s/%s.%d", directory, kind == DATA ? "file" : "redundancy", rank);
            if (!access(name, F_OK)) {
                wrong("--directory must have no file of that name: %s", name);
                return;
            }
        }
}

static const char USAGE[] =
    "usage: file_floor --directory DIR [--processes N] [--bytes N] [--rounds N] [--piece BYTES]\n"
    "                  [--scheme XOR|RS|PARTNER]... [--way base|shared+spare]... [--no-sync] [--keep] [--check]\n"
    "Files are file.N, redundancy.N and sums.N of the directory, which must not be there; they are removed at the end.\n"
    "Times are in milliseconds; later: the median of the fourth round and all after. --keep leaves the files, --check\n"
    "only checks those that are there.\n";

int main(int argc, char **argv) {
    static const struct option options[] = {
        {"directory", required_argument, NULL, 'd'}, {"processes", required_argument, NULL, 'p'},
        {"bytes", required_argument, NULL, 'b'}, {"rounds", required_argument, NULL, 'r'},
        {"piece", required_argument, NULL, 'i'}, {"scheme", required_argument, NULL, 's'},
        {"way", required_argument, NULL, 'w'}, {"no-sync", no_argument, NULL, 'n'},
        {"keep", no_argument, NULL, 'k'}, {"check", no_argument, NULL, 'c'}, {NULL, 0, NULL, 0}};
    int schemes[SCHEMES], scheme_count = 0, ways[WAYS], way_count = 0, keep = 0, only_check = 0, option;
    struct stat status;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (option) {
            case 'd': directory = optarg; break;
            case 'p': processes = (int) number("--processes", optarg, 1, MOST_PROCESSES); break;
            case 'b': bytes = number("--bytes", optarg, 1, 1L << 40); break;
            case 'r': rounds = (int) number("--rounds", optarg, 1, MOST_ROUNDS); break;
            case 'i':
                piece_bytes = number("--piece", optarg, PAGE, 1L << 26);
                if (piece_bytes % PAGE) wrong("--piece must be a multiple of %d: --piece=%s", PAGE, optarg);
                break;
            case 's':
                if (scheme_count < SCHEMES) schemes[scheme_count++] = named("--scheme", optarg, SCHEME_NAMES, SCHEMES, "XOR, RS or PARTNER");
                else wrong("--scheme may be given %d times: --scheme=%s", SCHEMES, optarg);
                break;
            case 'w':
                if (way_count < WAYS) ways[way_count++] = named("--way", optarg, WAY_NAMES, WAYS, "base or shared+spare");
                else wrong("--way may be given %d times: --way=%s", WAYS, optarg);
                break;
            case 'n': sync_files = 0; break;
            case 'k': keep = 1; break;
            case 'c': only_check = 1; break;
            default: errors++;
        }
    }
    if (optind < argc) wrong("there are no arguments besides options: %s", argv[optind]);
    if (directory == NULL || stat(directory, &status) || !S_ISDIR(status.st_mode))
        wrong("--directory must be a directory: --directory=%s", directory == NULL ? "" : directory);
    if (scheme_count == 0) schemes[scheme_count++] = XOR;
    if (way_count == 0) ways[way_count++] = BASE;
    for (int s = 0; s < scheme_count && !errors; s++) check_processes(schemes[s]);
    if ((only_check || keep) && (scheme_count > 1 || way_count > 1))
        wrong("--check and --keep go with one scheme and one way");
    if (!errors && !only_check) refuse_files();
    if (errors) {
        fputs(USAGE, stderr);
        return 2;
    }
    prepare_arithmetic();
    if (!only_check) {
        signal(SIGINT, stop);
        signal(SIGTERM, stop);
    }
    for (int s = 0; s < scheme_count; s++)
        for (int w = 0; w < way_count; w++) {
            scheme = (enum scheme) schemes[s];
            way = (enum way) ways[w];
            if (!only_check) {
                run();
                print();
            }
            check();
            if (!keep && !only_check)
                for (int rank = 0; rank < processes; rank++) remove_files(rank);
        }
    return 0;
}

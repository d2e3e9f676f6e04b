/*
 * The life of a job that protects files with LLNL's redset, as org.restorej.bench.mpi.FileLife lives it with ours: by
 * turns it applies redundancy, loses what the first ranks have, and recovers it. redset is not here: the compiler is
 * told where it was installed. Written against its public header.
 *
 * Arguments: the file for the times, a folder for files, bytes of a rank, in how many files, turns, the scheme (XOR,
 * PARTNER or RS), its checksums, and how many ranks lose their files. Rank 0 writes a line for each operation: its name,
 * and the milliseconds of all its calls. Exit code 1, with a line on standard error, when a byte is wrong or anything fails.
 */
#define REDSET_ENABLE_MPI
#include <mpi.h>
#include <redset.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ARGUMENTS = 9, PATH_BYTES = 4096, MAX_FILES = 100, MAX_TURNS = 1000 };

static int rank, ranks;
static char files[MAX_FILES][PATH_BYTES + 64], prefix[PATH_BYTES + 64];
static long file_count, words; /* Words of a file. */

static void __attribute__((noreturn, format(printf, 1, 2))) fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "redset_life: rank %d: ", rank);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

static void require(int result, const char *call) {
    if (result != REDSET_SUCCESS) fail("%s has returned %d", call, result);
}

static long number(const char *name, const char *text) {
    char *end;
    long value = strtol(text, &end, 10);
    if (*end || end == text || value < 0) fail("%s must be a number: %s", name, text);
    return value;
}

/* As org.restorej.bench.bytes.KnownBytes, the sequence of a rank. */
static uint64_t known_word(uint64_t index) {
    uint64_t mixed = (index + 1) * 0x9E3779B97F4A7C15u ^ (uint64_t) rank * 0xD6E8FEB86659FD93u;
    return mixed ^ mixed >> 29;
}

static uint64_t *memory_of_file(void) {
    uint64_t *memory = malloc((size_t) words * sizeof *memory);
    if (memory == NULL) fail("no memory for a file of %ld words", words);
    return memory;
}

static void write_file(const char *file) {
    uint64_t *content = memory_of_file();
    for (long i = 0; i < words; i++) content[i] = known_word((uint64_t) i);
    FILE *stream = fopen(file, "w");
    if (stream == NULL || fwrite(content, sizeof *content, (size_t) words, stream) != (size_t) words || fclose(stream))
        fail("%s can't be written", file);
    free(content);
}

static void check_file(const char *file) {
    uint64_t *content = memory_of_file();
    FILE *stream = fopen(file, "r");
    if (stream == NULL || fread(content, sizeof *content, (size_t) words, stream) != (size_t) words
        || fgetc(stream) != EOF)
        fail("%s can't be read or has another size", file);
    fclose(stream);
    for (long i = 0; i < words; i++)
        if (content[i] != known_word((uint64_t) i)) fail("%s: wrong bytes at offset %ld", file, 8 * i);
    free(content);
}

static redset create(const char *scheme, int checksums) {
    redset set;
    char group[32];
    snprintf(group, sizeof group, "rank %d", rank);
    if (!strcmp(scheme, "XOR")) require(redset_create_xor(MPI_COMM_WORLD, group, ranks, &set), "redset_create_xor");
    else if (!strcmp(scheme, "PARTNER"))
        require(redset_create_partner(MPI_COMM_WORLD, group, ranks, 1, &set), "redset_create_partner");
    else if (!strcmp(scheme, "RS"))
        require(redset_create_rs(MPI_COMM_WORLD, group, ranks, checksums, &set), "redset_create_rs");
    else fail("the scheme must be XOR, PARTNER or RS: %s", scheme);
    return set;
}

/* All that a rank has: its files too. */
static void lose(redset set) {
    redset_filelist list = redset_filelist_enc_get(prefix, set);
    for (int i = 0; i < redset_filelist_count(list); i++) unlink(redset_filelist_file(list, i));
    redset_filelist_release(&list);
    for (long i = 0; i < file_count; i++)
        if (unlink(files[i])) fail("%s is not there", files[i]);
}

static void apply(redset set) {
    const char *names[MAX_FILES];
    for (long i = 0; i < file_count; i++) names[i] = files[i];
    require(redset_apply((int) file_count, names, prefix, set), "redset_apply");
}

static void recover(void) {
    redset recovered;
    require(redset_recover(MPI_COMM_WORLD, prefix, &recovered), "redset_recover");
    require(redset_delete(&recovered), "redset_delete");
}

static double begin(void) {
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
}

static double millis_since(double start) {
    MPI_Barrier(MPI_COMM_WORLD);
    return 1e3 * (MPI_Wtime() - start);
}

static void write_times(const char *name, long turns, double times[][MAX_TURNS]) {
    static const char *const operations[] = {"apply", "recover"};
    FILE *stream = fopen(name, "w");
    if (stream == NULL) fail("%s can't be written", name);
    for (int operation = 0; operation < 2; operation++) {
        fputs(operations[operation], stream);
        for (long turn = 0; turn < turns; turn++) fprintf(stream, " %.6f", times[operation][turn]);
        fputc('\n', stream);
    }
    if (fclose(stream)) fail("%s can't be written", name);
}

int main(int argc, char **argv) {
    static double times[2][MAX_TURNS];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != ARGUMENTS || strlen(argv[2]) >= PATH_BYTES) fail("the comment in redset_life.c says what is needed");
    long turns = number("turns", argv[5]), lost = number("ranks that lose files", argv[8]);
    if (turns > MAX_TURNS) fail("turns must be at most %d: %ld", MAX_TURNS, turns);
    file_count = number("files", argv[4]);
    if (file_count < 1 || file_count > MAX_FILES) fail("files must be 1 to %d: %ld", MAX_FILES, file_count);
    words = number("bytes", argv[3]) / 8 / file_count;
    snprintf(prefix, sizeof prefix, "%s/redset.%d", argv[2], rank);
    if (mkdir(prefix, 0777)) fail("%s can't be made", prefix);
    snprintf(prefix, sizeof prefix, "%s/redset.%d/", argv[2], rank);
    for (long i = 0; i < file_count; i++) {
        snprintf(files[i], sizeof files[i], "%s/redset.%d/file.%ld", argv[2], rank, i);
        write_file(files[i]);
    }
    require(redset_init(), "redset_init");
    redset set = create(argv[6], (int) number("checksums", argv[7]));
    for (long turn = 0; turn < turns; turn++) {
        double start = begin();
        apply(set);
        times[0][turn] = millis_since(start);
        if (rank < lost) lose(set);
        start = begin();
        recover();
        times[1][turn] = millis_since(start);
    }
    for (long i = 0; i < file_count; i++) check_file(files[i]);
    require(redset_unapply(prefix, set), "redset_unapply");
    require(redset_delete(&set), "redset_delete");
    require(redset_finalize(), "redset_finalize");
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) write_times(argv[1], turns, times);
    MPI_Finalize();
    return 0;
}

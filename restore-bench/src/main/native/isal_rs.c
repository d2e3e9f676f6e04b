/*
 * Reed-Solomon encoding by ISA-L, called from C: what the same call from Java is measured against.
 *
 * Usage: isal_rs SOURCES TARGETS BYTES REPETITIONS BATCHES, with the TARGETS * SOURCES coefficients on standard input,
 * row after row. Prints a line for each batch, gigabytes of sources a second, then "check" and the FNV-1a hash of the
 * targets. Byte b of source i is (b * 31 + i * 17 + (b >> 8)) & 255.
 *
 * Needs no headers of ISA-L: build with cc -O2 isal_rs.c -o isal_rs -ldl
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef void (*init_tables_function)(int, int, unsigned char *, unsigned char *);
typedef void (*encode_function)(int, int, int, unsigned char *, unsigned char **, unsigned char **);

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double) time.tv_sec + 1e-9 * (double) time.tv_nsec;
}

static unsigned char *aligned(size_t bytes) {
    void *memory = NULL;
    if (posix_memalign(&memory, 64, bytes) != 0) {
        fprintf(stderr, "isal_rs: no memory\n");
        exit(1);
    }
    return memory;
}

static uint64_t hash(unsigned char **targets, int count, int bytes) {
    uint64_t hash = 0xcbf29ce484222325ULL;
    for (int target = 0; target < count; target++) {
        for (int at = 0; at < bytes; at++) {
            hash = (hash ^ targets[target][at]) * 0x100000001b3ULL;
        }
    }
    return hash;
}

int main(int argc, char **argv) {
    if (argc != 6) {
        fprintf(stderr, "usage: isal_rs SOURCES TARGETS BYTES REPETITIONS BATCHES < coefficients\n");
        return 2;
    }
    int sources = atoi(argv[1]), targets = atoi(argv[2]), bytes = atoi(argv[3]);
    int repetitions = atoi(argv[4]), batches = atoi(argv[5]);
    void *library = dlopen("libisal.so.2", RTLD_NOW);
    if (library == NULL) {
        fprintf(stderr, "isal_rs: %s\n", dlerror());
        return 3;
    }
    init_tables_function init_tables = (init_tables_function) dlsym(library, "ec_init_tables");
    encode_function encode = (encode_function) dlsym(library, "ec_encode_data");
    if (init_tables == NULL || encode == NULL) {
        fprintf(stderr, "isal_rs: libisal.so.2 has no ec_init_tables or no ec_encode_data\n");
        return 3;
    }
    unsigned char *matrix = aligned((size_t) sources * targets);
    unsigned char *tables = aligned((size_t) 32 * sources * targets);
    for (int i = 0; i < sources * targets; i++) {
        int coefficient = 0;
        if (scanf("%d", &coefficient) != 1) {
            fprintf(stderr, "isal_rs: %d coefficients expected on standard input\n", sources * targets);
            return 2;
        }
        matrix[i] = (unsigned char) coefficient;
    }
    init_tables(sources, targets, matrix, tables);
    unsigned char *from[256], *to[256];
    for (int i = 0; i < sources; i++) {
        from[i] = aligned((size_t) bytes);
        for (int at = 0; at < bytes; at++) {
            from[i][at] = (unsigned char) (at * 31 + i * 17 + (at >> 8));
        }
    }
    for (int i = 0; i < targets; i++) {
        to[i] = aligned((size_t) bytes);
    }
    for (int batch = 0; batch < batches; batch++) {
        double start = now();
        for (int repetition = 0; repetition < repetitions; repetition++) {
            encode(bytes, sources, targets, tables, from, to);
        }
        printf("%.6f\n", (double) sources * bytes * repetitions / (now() - start) / 1e9);
    }
    printf("check %016llx\n", (unsigned long long) hash(to, targets, bytes));
    return 0;
}

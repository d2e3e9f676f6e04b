/*
 * What a submit and a pull can't do without: processes that each have data of their own bring every permutation range
 * to K of them, into memory that nobody has touched before, and then fetch whole shares out of these replicas. No MPI,
 * no announcements, no agreement, no checksums. Two generations of replicas take turns, as those of a store do.
 *
 * Needs Linux, and no library: cc -O3 -march=native submit_floor.c -o submit_floor -pthread
 * Exit codes: 0 done, 1 failed, 2 wrong usage.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef unsigned char byte;

enum { MOST_PROCESSES = 64, MOST_ROUNDS = 1000, GENERATIONS = 2 };
enum { SUBMIT, WHOLES, OPERATIONS };
static const char *const OPERATION_NAMES[] = {"submit", "wholes"};

/* How bytes get from one process to another. */
enum way {
    COPY,  /* receivers copy them out of the sender's memory: process_vm_readv, as MPI libraries do on a node */
    SHARED /* replicas are in memory that all processes see: senders write them in place, and who pulls reads them */
};
static const char *const WAY_NAMES[] = {"copy", "shared"};

struct common {
    pthread_barrier_t barrier;
    pid_t pid[MOST_PROCESSES];
    byte *data[MOST_PROCESSES];
    byte *replicas[MOST_PROCESSES];
    double start[MOST_PROCESSES];
    double millis[OPERATIONS][MOST_ROUNDS];
};

static int processes = 4, replication = 4, rounds = 20, me, errors;
static long bytes = 16L << 20, range_bytes = 256L << 10;
static enum way way;
static struct common *common;

static void __attribute__((noreturn)) die(const char *what) {
    fprintf(stderr, "submit_floor: %s: %s\n", what, strerror(errno));
    _exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double) time.tv_sec * 1e3 + (double) time.tv_nsec / 1e6;
}

static byte *memory(size_t length, int visible) {
    int flags = MAP_ANONYMOUS | MAP_NORESERVE | (visible ? MAP_SHARED : MAP_PRIVATE);
    void *map = mmap(NULL, length, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (map == MAP_FAILED) die("mmap");
    return map;
}

static long ranges(void) { return bytes / range_bytes; }

/* Ranges are dealt out to the processes in turn, so that a share has parts in all of them. */
static int first_holder(int owner, long range) { return (int) ((owner + range) % processes); }

static int holder(int owner, long range, int replica) {
    return (first_holder(owner, range) + replica * (processes / replication)) % processes;
}

/* Where a holder has a range: each has as many of each replica as a share has. */
static long place(int owner, long range, int replica) {
    long slot = (owner * ranges() + range) / processes;
    return (replica * ranges() + slot) * range_bytes;
}

static long generation_bytes(void) { return replication * bytes; }

static byte *replica_of(int process, int round) {
    return common->replicas[process] + round % GENERATIONS * generation_bytes();
}

static byte content(int owner, long range, int round) { return (byte) (owner * 31 + range * 7 + round); }

static void copy_from(int process, byte *target, byte *source, long length) {
    if (process == me || way == SHARED) {
        memcpy(target, source, (size_t) length);
        return;
    }
    struct iovec to = {target, (size_t) length}, from = {source, (size_t) length};
    if (process_vm_readv(common->pid[process], &to, 1, &from, 1, 0) != length) die("process_vm_readv");
}

static void submit(int round) {
    if (way == SHARED) {
        for (long range = 0; range < ranges(); range++)
            for (int replica = 0; replica < replication; replica++)
                memcpy(replica_of(holder(me, range, replica), round) + place(me, range, replica),
                       common->data[me] + range * range_bytes, (size_t) range_bytes);
        return;
    }
    for (int owner = 0; owner < processes; owner++)
        for (long range = 0; range < ranges(); range++)
            for (int replica = 0; replica < replication; replica++)
                if (holder(owner, range, replica) == me)
                    copy_from(owner, replica_of(me, round) + place(owner, range, replica),
                              common->data[owner] + range * range_bytes, range_bytes);
}

/* Everyone wants the share of the next one: what it holds itself, and the rest of the holders in turn. */
static void pull(byte *target, int round) {
    int owner = (me + 1) % processes;
    for (long range = 0; range < ranges(); range++) {
        int from = (int) (range % replication);
        for (int replica = 0; replica < replication; replica++)
            if (holder(owner, range, replica) == me) from = replica;
        int source = holder(owner, range, from);
        copy_from(source, target + range * range_bytes, replica_of(source, round) + place(owner, range, from),
                  range_bytes);
    }
}

static void check(const byte *target, int round) {
    for (long range = 0; range < ranges(); range++)
        for (long at = 0; at < range_bytes; at++)
            if (target[range * range_bytes + at] != content((me + 1) % processes, range, round)) {
                fprintf(stderr, "submit_floor: wrong byte %ld of process %d in round %d\n", range * range_bytes + at,
                        me, round);
                _exit(1);
            }
}

static void set_data(int round) {
    for (long range = 0; range < ranges(); range++)
        memset(common->data[me] + range * range_bytes, content(me, range, round), (size_t) range_bytes);
}

/* From when the first process has begun until all are done. */
static void note(int operation, int round) {
    double first = common->start[0];
    for (int rank = 1; rank < processes; rank++)
        if (common->start[rank] < first) first = common->start[rank];
    common->millis[operation][round] = now() - first;
}

static void begin(void) {
    pthread_barrier_wait(&common->barrier);
    common->start[me] = now();
}

static void end(int operation, int round) {
    pthread_barrier_wait(&common->barrier);
    if (me == 0) note(operation, round);
}

static void live(void) {
    byte *target = memory((size_t) bytes, 0);
    memset(target, 0, (size_t) bytes);
    for (int round = 0; round < rounds; round++) {
        if (round == 0 || round == rounds - 1) set_data(round);
        begin();
        submit(round);
        end(SUBMIT, round);
        begin();
        pull(target, round);
        end(WHOLES, round);
        if (round == 0 || round == rounds - 1) check(target, round);
    }
}

static void child(int rank) {
    me = rank;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    common->pid[me] = getpid();
    common->data[me] = memory((size_t) bytes, 0);
    set_data(0);
    if (way == COPY) common->replicas[me] = memory((size_t) (GENERATIONS * generation_bytes()), 0);
    pthread_barrier_wait(&common->barrier);
    live();
    pthread_barrier_wait(&common->barrier);
    _exit(0);
}

static void run(void) {
    pthread_barrierattr_t visible;
    common = (struct common *) memory(sizeof *common, 1);
    pthread_barrierattr_init(&visible);
    pthread_barrierattr_setpshared(&visible, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&common->barrier, &visible, (unsigned) processes);
    for (int rank = 0; way == SHARED && rank < processes; rank++)
        common->replicas[rank] = memory((size_t) (GENERATIONS * generation_bytes()), 1);
    for (int rank = 0; rank < processes; rank++) {
        pid_t pid = fork();
        if (pid < 0) die("fork");
        if (pid == 0) child(rank);
        common->pid[rank] = pid;
    }
    int failed = 0, status;
    for (int rank = 0; rank < processes; rank++) {
        pid_t ended = wait(&status);
        if (ended < 0) die("wait");
        if (!WIFEXITED(status) || WEXITSTATUS(status)) failed = 1;
        /* The others wait for it. */
        for (int other = 0; other < processes; other++) {
            if (common->pid[other] == ended) common->pid[other] = 0;
            if (failed && common->pid[other] > 0) kill(common->pid[other], SIGKILL);
        }
    }
    if (failed) exit(1);
}

/* A line for each operation: the times of all rounds, in milliseconds. */
static void print(void) {
    for (int operation = 0; operation < OPERATIONS; operation++) {
        printf("%s %s rounds", OPERATION_NAMES[operation], WAY_NAMES[way]);
        for (int round = 0; round < rounds; round++) printf(" %.2f", common->millis[operation][round]);
        printf("\n");
    }
}

static void __attribute__((format(printf, 1, 2))) wrong(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "submit_floor: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    errors++;
}

static long number(const char *option, const char *text, long least, long most) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno || end == text || *end || value < least || value > most) {
        wrong("%s must be %ld to %ld: %s=%s", option, least, most, option, text);
        return least;
    }
    return value;
}

static const char USAGE[] =
    "usage: submit_floor [--processes N] [--bytes N] [--range BYTES] [--replicas K] [--rounds N] [--way copy|shared]\n"
    "Prints the times of all rounds, in milliseconds.\n";

int main(int argc, char **argv) {
    static const struct option options[] = {
        {"processes", required_argument, NULL, 'p'}, {"bytes", required_argument, NULL, 'b'},
        {"range", required_argument, NULL, 'g'}, {"replicas", required_argument, NULL, 'k'},
        {"rounds", required_argument, NULL, 'r'}, {"way", required_argument, NULL, 'w'}, {NULL, 0, NULL, 0}};
    int option;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (option) {
            case 'p': processes = (int) number("--processes", optarg, 2, MOST_PROCESSES); break;
            case 'b': bytes = number("--bytes", optarg, 1, 1L << 34); break;
            case 'g': range_bytes = number("--range", optarg, 1, 1L << 30); break;
            case 'k': replication = (int) number("--replicas", optarg, 1, MOST_PROCESSES); break;
            case 'r': rounds = (int) number("--rounds", optarg, 2, MOST_ROUNDS); break;
            case 'w':
                if (!strcmp(optarg, WAY_NAMES[COPY])) way = COPY;
                else if (!strcmp(optarg, WAY_NAMES[SHARED])) way = SHARED;
                else wrong("--way must be copy or shared: --way=%s", optarg);
                break;
            default: errors++;
        }
    }
    if (optind < argc) wrong("there are no arguments besides options: %s", argv[optind]);
    if (bytes % (range_bytes * processes))
        wrong("--bytes must be a multiple of --range times --processes: --bytes=%ld, --range=%ld, --processes=%d",
              bytes, range_bytes, processes);
    if (replication > processes)
        wrong("--replicas must be at most --processes: --replicas=%d, --processes=%d", replication, processes);
    if (errors) {
        fputs(USAGE, stderr);
        return 2;
    }
    run();
    print();
    return 0;
}

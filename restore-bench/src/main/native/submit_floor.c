/*
 * The bytes' way in a submit and a pull: processes that each have data of their own bring every permutation range
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

enum { MOST_PROCESSES = 64, MOST_ROUNDS = 100000, GENERATIONS = 2 };
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

static int processes = 4, replication = 4, rounds = 20, damage, me, errors;
static long bytes = 16L << 20, range_bytes = 256L << 10;
static enum way way;
static struct common *common;

static void __attribute__((noreturn, format(printf, 1, 2))) die(const char *format, ...) {
    int error = errno;
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    /* In one go, as several processes may say something. */
    fprintf(stderr, "submit_floor: %s%s%s\n", line, error ? ": " : "", error ? strerror(error) : "");
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
    if (map == MAP_FAILED) die("no memory of %zu bytes", length);
    return map;
}

/* The last one of a process may be shorter. */
static long ranges(void) { return (bytes + range_bytes - 1) / range_bytes; }

static long length_of(long range) {
    long rest = bytes - range * range_bytes;
    return rest < range_bytes ? rest : range_bytes;
}

/* Ranges are dealt out to the processes in turn, so that a share has parts in all of them. */
static int first_holder(int owner, long range) { return (int) ((owner + range) % processes); }

static int holder(int owner, long range, int replica) {
    return (first_holder(owner, range) + replica * (processes / replication)) % processes;
}

/* Most ranges that a process holds of another's data, as one of its replicas. */
static long held_ranges(void) { return (ranges() + processes - 1) / processes; }

/* Where a holder has a range. */
static long place(int owner, long range, int replica) {
    return ((long) (replica * processes + owner) * held_ranges() + range / processes) * range_bytes;
}

static long generation_bytes(void) { return (long) replication * processes * held_ranges() * range_bytes; }

static byte *replica_of(int process, int round) {
    return common->replicas[process] + round % GENERATIONS * generation_bytes();
}

/* Differs from byte to byte, and from range to range by more than a whole number of turns. */
static byte content(int owner, long offset, int round) { return (byte) (owner * 31 + offset % 251 + offset / 4096 + round); }

static void copy_from(int process, byte *target, byte *source, long length) {
    if (process == me || way == SHARED) {
        memcpy(target, source, (size_t) length);
        return;
    }
    struct iovec to = {target, (size_t) length}, from = {source, (size_t) length};
    errno = 0;
    long copied = process_vm_readv(common->pid[process], &to, 1, &from, 1, 0);
    if (copied != length) die("%ld of %ld bytes copied from process %d", copied, length, process);
}

static void submit(int round) {
    if (way == SHARED) {
        for (long range = 0; range < ranges(); range++)
            for (int replica = 0; replica < replication; replica++)
                memcpy(replica_of(holder(me, range, replica), round) + place(me, range, replica),
                       common->data[me] + range * range_bytes, (size_t) length_of(range));
        return;
    }
    for (int owner = 0; owner < processes; owner++)
        for (long range = 0; range < ranges(); range++)
            for (int replica = 0; replica < replication; replica++)
                if (holder(owner, range, replica) == me)
                    copy_from(owner, replica_of(me, round) + place(owner, range, replica),
                              common->data[owner] + range * range_bytes, length_of(range));
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
                  length_of(range));
    }
}

static void check(const byte *target, int round) {
    for (long at = 0; at < bytes; at++)
        if (target[at] != content((me + 1) % processes, at, round)) {
            errno = 0;
            die("process %d got a wrong byte at %ld in round %d", me, at, round);
        }
}

static void set_data(int round) {
    for (long at = 0; at < bytes; at++) common->data[me][at] = content(me, at, round);
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
        if (damage && me == 0) target[bytes - 1]++;
        if (round == 0 || round == rounds - 1) check(target, round);
    }
}

static void child(int rank, pid_t parent) {
    me = rank;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1); /* it has ended in between */
    /* Where Yama restricts it, only parents may read the memory of others. */
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
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
    pid_t parent = getpid();
    pthread_barrierattr_t visible;
    common = (struct common *) memory(sizeof *common, 1);
    pthread_barrierattr_init(&visible);
    pthread_barrierattr_setpshared(&visible, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&common->barrier, &visible, (unsigned) processes);
    for (int rank = 0; way == SHARED && rank < processes; rank++)
        common->replicas[rank] = memory((size_t) (GENERATIONS * generation_bytes()), 1);
    for (int rank = 0; rank < processes; rank++) {
        pid_t pid = fork();
        if (pid < 0) die("process %d can't be started", rank);
        if (pid == 0) child(rank, parent);
        common->pid[rank] = pid;
    }
    int failed = 0, status;
    for (int rank = 0; rank < processes; rank++) {
        pid_t ended = wait(&status);
        if (ended < 0) die("no process to wait for");
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
        for (int round = 0; round < rounds; round++) printf(" %.4f", common->millis[operation][round]);
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
    "                    [--damage]\n"
    "Prints the times of all rounds, in milliseconds. --damage changes a byte, to see that the check finds it.\n";

int main(int argc, char **argv) {
    static const struct option options[] = {
        {"processes", required_argument, NULL, 'p'}, {"bytes", required_argument, NULL, 'b'},
        {"range", required_argument, NULL, 'g'}, {"replicas", required_argument, NULL, 'k'},
        {"rounds", required_argument, NULL, 'r'}, {"way", required_argument, NULL, 'w'},
        {"damage", no_argument, NULL, 'd'}, {NULL, 0, NULL, 0}};
    int option;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (option) {
            case 'p': processes = (int) number("--processes", optarg, 2, MOST_PROCESSES); break;
            case 'b': bytes = number("--bytes", optarg, 1, 1L << 34); break;
            case 'g': range_bytes = number("--range", optarg, 1, 1L << 30); break;
            case 'k': replication = (int) number("--replicas", optarg, 1, MOST_PROCESSES); break;
            case 'r': rounds = (int) number("--rounds", optarg, 1, MOST_ROUNDS); break;
            case 'w':
                if (!strcmp(optarg, WAY_NAMES[COPY])) way = COPY;
                else if (!strcmp(optarg, WAY_NAMES[SHARED])) way = SHARED;
                else wrong("--way must be copy or shared: --way=%s", optarg);
                break;
            case 'd': damage = 1; break;
            default: errors++;
        }
    }
    if (optind < argc) wrong("there are no arguments besides options: %s", argv[optind]);
    if (!errors && replication > processes)
        wrong("--replicas must be at most --processes: --replicas=%d, --processes=%d", replication, processes);
    if (errors) {
        fputs(USAGE, stderr);
        return 2;
    }
    run();
    print();
    return 0;
}

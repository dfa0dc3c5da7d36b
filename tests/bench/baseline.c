/*
 * The bare loop that the engine is measured against: writes what a script says, blocks until the answer is there, and judges
 * nothing. A script has a line `>L text` for each line to send on lane L, `<L` for each line to wait for, and `=` at the end of
 * each game. Lines that are sent one after the other on a lane go out by one write.
 *
 *   baseline SCRIPT pipes COMMAND ARGUMENT...   a process for each game, one lane
 *   baseline SCRIPT tcp HOST PORT LANES         LANES connections for each game
 *
 * Prints the seconds from the first start or connection to the end of the last game.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LANES 8

extern char **environ;

struct lane {
    int in, out;
    size_t start, end;
    char buffer[16384];
};

enum kind { SEND, AWAIT, END };

struct op {
    enum kind kind;
    int lane;
    char *bytes;
    size_t length;
};

static struct lane lanes[LANES];

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void await_line(struct lane *lane) {
    for (;;) {
        char *newline = memchr(lane->buffer + lane->start, '\n', lane->end - lane->start);
        if (newline) {
            lane->start = newline + 1 - lane->buffer;
            if (lane->start == lane->end) lane->start = lane->end = 0;
            return;
        }
        if (lane->end == sizeof lane->buffer) {
            memmove(lane->buffer, lane->buffer + lane->start, lane->end - lane->start);
            lane->end -= lane->start;
            lane->start = 0;
        }
        ssize_t got = read(lane->in, lane->buffer + lane->end, sizeof lane->buffer - lane->end);
        if (got <= 0) fail("read");
        lane->end += got;
    }
}

static void send_all(struct lane *lane, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t put = write(lane->out, bytes, length);
        if (put <= 0) fail("write");
        bytes += put;
        length -= put;
    }
}

/* Turns the script into operations; the text stays where it is, sent lines are moved together over their marks. */
static struct op *read_script(const char *path, size_t *count) {
    FILE *file = fopen(path, "rb");
    if (!file) fail(path);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = malloc(size + 1);
    if (!text || fread(text, 1, size, file) != (size_t)size) fail(path);
    fclose(file);
    size_t room = 1;
    for (long at = 0; at < size; at++) room += text[at] == '\n';
    struct op *ops = malloc(room * sizeof *ops);
    if (!ops) fail("malloc");
    size_t used = 0;
    for (char *line = text; line < text + size;) {
        char *next = memchr(line, '\n', text + size - line);
        next = next ? next + 1 : text + size;
        int lane = line[0] == '=' ? 0 : line[1] - '0';
        if (lane < 0 || lane >= LANES) fail("lane");
        struct op *last = used ? &ops[used - 1] : NULL;
        if (line[0] == '>' && last && last->kind == SEND && last->lane == lane) {
            memmove(last->bytes + last->length, line + 3, next - line - 3);
            last->length += next - line - 3;
        } else if (line[0] == '>') {
            ops[used++] = (struct op){SEND, lane, line + 3, next - line - 3};
        } else {
            ops[used++] = (struct op){line[0] == '<' ? AWAIT : END, lane, NULL, 0};
        }
        line = next;
    }
    *count = used;
    return ops;
}

static pid_t start(char **command, struct lane *lane) {
    int to[2], from[2];
    pid_t child;
    posix_spawn_file_actions_t actions;
    if (pipe(to) || pipe(from)) fail("pipe");
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to[0], 0);
    posix_spawn_file_actions_adddup2(&actions, from[1], 1);
    posix_spawn_file_actions_addclose(&actions, to[1]);
    posix_spawn_file_actions_addclose(&actions, from[0]);
    if (posix_spawnp(&child, command[0], &actions, NULL, command, environ)) fail(command[0]);
    posix_spawn_file_actions_destroy(&actions);
    close(to[0]);
    close(from[1]);
    *lane = (struct lane){.in = from[0], .out = to[1]};
    return child;
}

static void reach(const char *host, int port, struct lane *lane) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    int one = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    inet_pton(AF_INET, host, &address.sin_addr);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address)) fail("connect");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    *lane = (struct lane){.in = fd, .out = fd};
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    size_t count;
    struct op *ops = read_script(argv[1], &count);
    int is_tcp = strcmp(argv[2], "tcp") == 0;
    int used = is_tcp ? atoi(argv[5]) : 1;
    double began = now();
    for (size_t at = 0; at < count;) {
        pid_t child = 0;
        if (!is_tcp) child = start(argv + 3, &lanes[0]);
        for (int lane = 0; is_tcp && lane < used; lane++) reach(argv[3], atoi(argv[4]), &lanes[lane]);
        for (; ops[at].kind != END; at++) {
            if (ops[at].kind == SEND)
                send_all(&lanes[ops[at].lane], ops[at].bytes, ops[at].length);
            else
                await_line(&lanes[ops[at].lane]);
        }
        at++;
        for (int lane = 0; lane < used; lane++) {
            close(lanes[lane].out);
            if (!is_tcp) close(lanes[lane].in);
        }
        if (child) waitpid(child, NULL, 0);
    }
    printf("%.6f\n", now() - began);
    return 0;
}

/* A referee for the Royal Game of Ur: referee PORT SPECTATOR_PORT SPECTATORS FIRST SECOND
 *
 * TIMEOUT and PACE in the environment are seconds. ROLLS are forced rolls, such as `0011 1111 0001`. */

#define _POSIX_C_SOURCE 200809L
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "ur.h"

enum { MOST_LANES = 64, LONGEST_LINE = 64 };

/* Players first, then spectators. */
static int lanes[MOST_LANES], lane_count;
static struct { char text[LONGEST_LINE]; size_t length; } unread[2];

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static int listen_at(const char *port) {
    int yes = 1, listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(port))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, MOST_LANES)) fail(port);
    return listener;
}

static void accept_lanes(int listener, int count) {
    while (count-- > 0)
        if ((lanes[lane_count++] = accept(listener, NULL, NULL)) < 0) fail("accept");
}

/* Sends a line to one lane. Whoever has gone away loses in their own turn. */
static void send_line(int lane, const char *line) {
    char text[4096];
    int length = snprintf(text, sizeof text, "%s\n", line);
    for (int sent = 0; sent < length;) {
        ssize_t part = send(lanes[lane], text + sent, length - sent, MSG_NOSIGNAL);
        if (part < 0) return;
        sent += part;
    }
}

static void send_to_all_but(int left_out, const char *line) {
    for (int lane = 0; lane < lane_count; lane++)
        if (lane != left_out) send_line(lane, line);
}

static bool is_readable(int lane, double deadline) {
    struct pollfd wait = {.fd = lanes[lane], .events = POLLIN};
    double left = deadline - now();
    return left > 0 && poll(&wait, 1, (int)(left * 1000) + 1) > 0;
}

/* Reads the next line of a player, without its newline. Returns false if it does not come in time, or not at all. */
static bool read_line(int player, char *line, double deadline) {
    char *text = unread[player].text, *end;
    size_t *length = &unread[player].length;
    while (!(end = memchr(text, '\n', *length))) {
        if (*length == LONGEST_LINE || !is_readable(player, deadline)) return false;
        ssize_t part = recv(lanes[player], text + *length, LONGEST_LINE - *length, 0);
        if (part <= 0) return false;
        *length += part;
    }
    size_t size = end - text;
    memcpy(line, text, size);
    line[size] = '\0';
    /* A zero byte is no end of a line. */
    if (strlen(line) != size) return false;
    *length -= size + 1;
    memmove(text, end + 1, *length);
    return true;
}

/* Shows the next roll, forced or by chance, and returns the number of heads. */
static int roll(const char **forced) {
    char line[] = "0 0 0 0";
    int heads = 0;
    while (**forced == ' ') ++*forced;
    bool is_forced = strlen(*forced) >= 4;
    for (int coin = 0; coin < 4; coin++) {
        line[2 * coin] = is_forced ? *(*forced)++ : '0' + (rand() >> 8) % 2;
        heads += line[2 * coin] == '1';
    }
    send_to_all_but(-1, line);
    return heads;
}

static void wait_until(double time) {
    double left = time - now();
    if (left <= 0) return;
    struct timespec pause = {.tv_sec = (time_t)left, .tv_nsec = (long)((left - (time_t)left) * 1e9)};
    nanosleep(&pause, NULL);
}

static void play(const char *forced, double timeout, double pace) {
    int tracks[2][TOKENS] = {{0}}, turn = 0;
    for (double began = now() - pace;;) {
        wait_until(began + pace);
        began = now();
        int *mine = tracks[turn], *theirs = tracks[1 - turn], steps = roll(&forced), cell = 0;
        if (can_move(mine, theirs, steps)) {
            char line[LONGEST_LINE + 1];
            bool is_token = read_line(turn, line, began + timeout) && strlen(line) == 1 && *line >= '0' && *line < '0' + TOKENS;
            if (!is_token || !is_legal(mine, theirs, *line - '0', steps)) {
                send_to_all_but(turn, "RETIRE");
                return;
            }
            send_to_all_but(turn, line);
            cell = move(mine, theirs, *line - '0', steps);
            if (has_won(mine)) return;
        }
        if (!gives_extra_turn(cell)) turn = 1 - turn;
    }
}

/* Closes all lanes. What is still unread would reset them, and lose what the other side has not read. */
static void end(void) {
    char rest[4096];
    double deadline = now() + 1;
    for (int lane = 0; lane < lane_count; lane++) shutdown(lanes[lane], SHUT_WR);
    for (int lane = 0; lane < lane_count; lane++)
        while (is_readable(lane, deadline) && recv(lanes[lane], rest, sizeof rest, 0) > 0) {}
}

static double seconds(const char *name, double usual) {
    const char *value = getenv(name);
    return value ? atof(value) : usual;
}

int main(int count, char **words) {
    if (count != 6 || atoi(words[3]) > MOST_LANES - 2) {
        fprintf(stderr, "usage: referee PORT SPECTATOR_PORT SPECTATORS FIRST SECOND\n");
        return 2;
    }
    const char *forced = getenv("ROLLS");
    srand((unsigned)time(NULL) ^ (unsigned)getpid());
    /* They listen until the end: whoever comes late hears nothing. */
    int for_players = listen_at(words[1]), for_spectators = listen_at(words[2]);
    accept_lanes(for_players, 2);
    accept_lanes(for_spectators, atoi(words[3]));
    send_to_all_but(-1, words[4]);
    send_to_all_but(-1, words[5]);
    send_line(0, "0");
    send_line(1, "1");
    play(forced ? forced : "", seconds("TIMEOUT", 90), seconds("PACE", 1.5));
    end();
    return 0;
}

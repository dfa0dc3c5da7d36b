/* A bot for the Royal Game of Ur, on standard input and output. */

#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ur.h"

/* The next line without its newline, valid until the next call; without one, the game is over. */
static char *next_line(void) {
    static char *line;
    static size_t size;
    ssize_t length = getline(&line, &size, stdin);
    if (length < 1 || line[length - 1] != '\n') exit(0);
    line[length - 1] = '\0';
    return line;
}

static char *line_of_game(void) {
    char *line = next_line();
    if (strcmp(line, "RETIRE") == 0) exit(0);
    return line;
}

int main(void) {
    next_line();
    next_line();
    int me = atoi(line_of_game()), tracks[2][TOKENS] = {{0}}, turn = 0;
    for (;;) {
        int steps = 0;
        for (char *coin = line_of_game(); *coin; coin++) steps += *coin == '1';
        int *mine = tracks[turn], *theirs = tracks[1 - turn], cell = 0;
        if (can_move(mine, theirs, steps)) {
            int token = 0;
            if (turn == me) {
                while (!is_legal(mine, theirs, token, steps)) token++;
                printf("%d\n", token);
                fflush(stdout);
            } else {
                token = atoi(line_of_game());
                if (token < 0 || token >= TOKENS) return 1;
            }
            cell = move(mine, theirs, token, steps);
            if (has_won(mine)) return 0;
        }
        if (!gives_extra_turn(cell)) turn = 1 - turn;
    }
}

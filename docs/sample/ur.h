/* The rules of the Royal Game of Ur: a track is the cells of a player's tokens, 0 at the start and OUT past the end. */

#include <stdbool.h>

enum { TOKENS = 7, OUT = 15 };

static inline int token_at(const int *track, int cell) {
    for (int token = 0; token < TOKENS; token++)
        if (track[token] == cell) return token;
    return -1;
}

static inline bool is_legal(const int *mine, const int *theirs, int token, int steps) {
    int cell = mine[token] + steps;
    if (steps == 0 || mine[token] == OUT || cell > OUT) return false;
    return cell == OUT || (token_at(mine, cell) < 0 && !(cell == 8 && token_at(theirs, cell) >= 0));
}

static inline bool can_move(const int *mine, const int *theirs, int steps) {
    for (int token = 0; token < TOKENS; token++)
        if (is_legal(mine, theirs, token, steps)) return true;
    return false;
}

/* Moves a token, and returns the cell where it is now. */
static inline int move(int *mine, int *theirs, int token, int steps) {
    int cell = mine[token] += steps;
    int captured = cell >= 5 && cell <= 12 ? token_at(theirs, cell) : -1;
    if (captured >= 0) theirs[captured] = 0;
    return cell;
}

static inline bool gives_extra_turn(int cell) { return cell == 4 || cell == 8 || cell == 14; }

static inline bool has_won(const int *mine) {
    for (int token = 0; token < TOKENS; token++)
        if (mine[token] != OUT) return false;
    return true;
}

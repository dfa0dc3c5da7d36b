// Draws the game of this page, and steps through it. The page holds the lines of `urtext replay --json`.
"use strict";
const $ = (selector) => document.querySelector(selector);
const [game, ...turns] = $("#lines").textContent.trim().split("\n").map((line) => JSON.parse(line));
const end = turns.pop();
for (const turn of turns) {
  turn.cells = game.cells.map((cell) => ({...cell, token: null, seat: null}));
  for (const {cell, name, seat} of turn.tokens) Object.assign(turn.cells[cell], {token: name, seat});
}
const last = turns.length - 1;
const list = $("#moves");
const slider = $("#slider");
const search = $("#search");

// Elements of HTML and of SVG. A text among their content stays a text.
const elements = (namespace) => (name, attributes, ...content) => {
  const element = document.createElementNS(namespace, name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  element.append(...content);
  return element;
};
const html = elements("http://www.w3.org/1999/xhtml");
const svg = elements("http://www.w3.org/2000/svg");

const seatOf = (name) => game.seats.indexOf(name);
const numbers = (count) => [...Array(count).keys()];
const most = (values) => values.reduce((one, other) => Math.max(one, other), 0);

// The number of the cell of that name to which tokens of the player come; -1 for a stock.
const cellOf = (name, by) => turns[0].cells.findIndex((cell) => cell.name === name && (cell.owner === null || cell.owner === by));

// The position after a turn in words.
function describe({cells, stocks, to_move: toMove}) {
  const of = (owner) => {
    const onBoard = cells.filter(({token, seat}) => token !== null && seat === owner);
    const beside = stocks.filter((stock) => stock.owner === owner && stock.items.length > 0);
    return [...onBoard.map(({token, name}) => `${token} on ${name}`), ...beside.map(({name, items}) => `${name} ${items.join(" ")}`.trim())].join(", ");
  };
  const players = game.seats.map((seat, number) => `${game.players[number]}${seat === toMove ? ", on turn" : ""}: ${of(seat)}.`);
  const nobodys = of(null);
  return [...players, ...(nobodys ? [`Next to the board: ${nobodys}.`] : [])].join(" ");
}

// Sizes in the units of the drawing.
const CELL = 56;
const ITEM = 50;
const MARGIN = 14;
const NAMES = 20;
const CARD = {width: 80, height: 88};
// The lines above and below the board: their height, the distance of tokens, the room for the name of a stock, and the width of a letter. On a
// narrow screen the drawing is small, and these are large.
const WIDE = {line: 32, step: 25, stock: 38, letter: 8};
const NARROW = {line: 42, step: 38, stock: 54, letter: 11};
const narrow = matchMedia("(max-width:820px)");
// The most characters of a name that are drawn.
const LONGEST = 30;

const PETALS = "M0 0c-8-9-6-20 0-24c6 4 8 15 0 24c9-8 20-6 24 0c-4 6-15 8-24 0c8 9 6 20 0 24c-6-4-8-15 0-24c-9 8-20 6-24 0c4-6 15-8 24 0";
const SHAPES = [
  () => [svg("circle", {r: 18}), svg("circle", {r: 14, class: "ring"})],
  () => [svg("path", {d: "M0-23 23 0 0 23-23 0z"}), svg("path", {d: "M0-18 18 0 0 18-18 0z", class: "ring"})],
];
// A circle for the first seat, a diamond for the second.
const shape = (seat) => svg("g", {class: `t${seat}`}, ...SHAPES[seat]());
const rosette = () => svg("g", {class: "r"}, svg("title", {}, "rosette"), svg("path", {d: PETALS}), svg("path", {d: PETALS, transform: "rotate(45)"}));
const cross = () => svg("path", {class: "x", d: "M11-19l8 8m0-8-8 8"});
const token = (label, owner) => owner < 0 ? [svg("text", {class: "ink", dy: ".35em"}, label)] : [shape(owner), svg("text", {class: `l${owner}`, dy: ".35em"}, label)];

// A card with the cells that it reaches, as its player sees them; the square in the middle is the token.
function card(label, isAbove) {
  const turn = isAbove ? -9 : 9;
  const reached = game.cards[label].map(([forward, right]) => `M${right * turn - 4} ${-forward * turn - 4}h8v8h-8z`);
  const lines = numbers(4).map((line) => `M${line * 9 - 13.5}-22.5v45M-22.5 ${line * 9 - 13.5}h45`);
  return [
    svg("path", {class: "c grid", d: `M-22.5-22.5h45v45h-45z${lines.join("")}`}),
    svg("path", {class: "ink", d: "M-4-4h8v8h-8z"}),
    svg("path", {class: "t1 grid", d: reached.join("")}),
    svg("text", {class: "ink card", y: 33}, label),
  ];
}

// A part of the board of its own size, with its middle at 0 0.
const inside = ({x, y}, className, content, side = ITEM, height = ITEM) =>
  svg("svg", {class: className, x, y, width: side, height: side, viewBox: `-25 -25 50 ${height}`}, ...content);

// Lays the board out as seen from one side. Returns its size, the elements that never change, and the places of all that changes.
function lay(isFlipped) {
  const {cells, stocks} = turns[0];
  const rooms = stocks.map((_, stock) => most(turns.map((turn) => turn.stocks[stock].items.length)));
  const [columns, rows] = ["column", "row"].map((of) => most(cells.map((cell) => cell[of])) + 1);
  const turned = (number, count) => isFlipped ? count - 1 - number : number;
  const sideOf = (names) => isFlipped ? [...names].reverse() : names;
  const above = isFlipped ? 1 - seatOf(game.above) : seatOf(game.above);
  const {line, step, stock: stockName, letter} = narrow.matches ? NARROW : WIDE;
  const view = {fixed: [], cells: [], stocks: [], turnAt: [], above, width: 0, height: MARGIN};
  const text = (x, y, className, content) => view.fixed.push(svg("text", {class: className, x, y, dy: ".35em"}, content));
  const widen = (right) => { view.width = Math.max(view.width, right); };

  const player = (seat) => {
    const name = game.players[seat].length > LONGEST ? `${[...game.players[seat]].slice(0, LONGEST).join("")}…` : game.players[seat];
    const middle = view.height + line / 2;
    view.fixed.push(inside({x: MARGIN, y: middle - 11}, "", [shape(seat)], 22));
    text(MARGIN + 28, middle, "n", name);
    widen(MARGIN + 28 + (name.length + 10) * letter);
    view.turnAt[seat] = middle;
    view.height += line;
  };
  // The stocks of tokens of an owner, next to each other where there is room.
  const tokens = (owner) => {
    let x = MARGIN;
    stocks.forEach((stock, number) => {
      if (stock.owner !== owner || game.stocks[number] !== "tokens") return;
      const width = stockName + Math.max(1, rooms[number]) * step;
      if (x > MARGIN && x + width > view.width) {
        x = MARGIN;
        view.height += line;
      }
      text(x, view.height + line / 2, "k", stock.name);
      view.stocks[number] = numbers(rooms[number]).map((place) => ({x: x + stockName + place * step, y: view.height + 2, side: step + 1}));
      x += width + 10;
      widen(x - 10);
    });
    if (x > MARGIN) view.height += line;
  };
  // The cards, to the right of the board: each player's on the side of the player, the others in the middle.
  const cards = (left, top, bottom) => stocks.forEach(({owner}, number) => {
    if (game.stocks[number] !== "cards") return;
    const middle = Math.max((top + bottom - CARD.height) / 2, top + CARD.height);
    const below = Math.max(bottom - CARD.height, top + 2 * CARD.height);
    const y = owner === null ? middle : seatOf(owner) === above ? top : below;
    view.stocks[number] = numbers(rooms[number]).map((place) => ({x: left + place * CARD.width, y, side: CARD.width}));
    widen(left + rooms[number] * CARD.width);
    view.height = Math.max(view.height, y + CARD.height);
  });
  const squares = (left, top) => cells.forEach(({name, column, row, kind, owner, home}) => {
    const [x, y] = [left + turned(column, columns) * CELL, top + turned(row, rows) * CELL];
    const place = {x: x + 3, y: y + 3, side: ITEM};
    view.cells.push(place);
    view.fixed.push(svg("rect", {class: owner ? "c own" : "c", x: x + 1, y: y + 1, width: CELL - 2, height: CELL - 2}));
    if (kind === "rosette") view.fixed.push(inside(place, "rosette", [rosette()]));
    if (kind === "home") view.fixed.push(svg("path", {class: `t${seatOf(home)} home`, d: `M${x + 6} ${y + 50}h44v-6h-44z`}, svg("title", {}, "home")));
    if (!game.columns.length && !game.rows.length && name.length < 4) text(x + 5, y + 9, "k cell", name);
  });

  const left = MARGIN + (game.rows.length ? NAMES : 0);
  const right = left + columns * CELL;
  widen(right);
  player(above);
  tokens(game.seats[above]);
  const top = view.height + 4;
  const bottom = top + rows * CELL;
  sideOf(game.rows).forEach((name, row) => text(MARGIN + 6, top + row * CELL + CELL / 2, "k middle", name));
  squares(left, top);
  view.height = bottom + 4;
  sideOf(game.columns).forEach((name, column) => text(left + column * CELL + CELL / 2, view.height + 8, "k middle", name));
  if (game.columns.length) view.height += NAMES;
  cards(right + 16, top, bottom);
  tokens(null);
  tokens(game.seats[1 - above]);
  player(1 - above);
  view.width += MARGIN;
  view.height += MARGIN;
  return view;
}

// The elements of a position: who is on turn, the marks of the move, the tokens and the cards.
function position(view, {by, from, to, captured, reach, to_move: toMove, cells, stocks}) {
  const at = (name) => view.cells[cellOf(name, by)];
  const parts = [];
  if (toMove !== null) parts.push(svg("text", {class: "n turn", x: view.width - MARGIN, y: view.turnAt[seatOf(toMove)], dy: ".35em"}, "◀ on turn"));
  for (const [mark, name] of [["from", from], ["to", to]]) {
    const place = at(name);
    if (place) parts.push(svg("rect", {class: mark, x: place.x, y: place.y, width: ITEM, height: ITEM, rx: 7}));
  }
  for (const name of reach ?? []) parts.push(svg("circle", {class: "reach", cx: at(name).x + 6, cy: at(name).y + 44, r: 5}));
  cells.forEach((cell, number) => {
    if (cell.token !== null) parts.push(inside(view.cells[number], "item", token(cell.token, seatOf(cell.seat))));
  });
  stocks.forEach(({owner, items}, number) => items.forEach((label, place) => {
    const isCard = game.stocks[number] === "cards";
    const content = isCard ? card(label, seatOf(owner) === view.above) : token(label, seatOf(owner));
    const slot = view.stocks[number][place];
    parts.push(inside(slot, "item", content, slot.side, isCard ? 60 : ITEM));
  }));
  if (captured !== null) parts.push(inside(at(to), "captured", [svg("title", {}, "captured"), cross()]));
  return parts;
}

// The table of the turns: the move, the time, and the lines of every lane.
const LARGEST = 240;
const hasTimes = turns.some((turn) => turn.took !== null);
function row(turn) {
  const line = ({text, is_sent: isSent, is_wrong: isWrong}) => {
    const shown = text.length > LARGEST ? `${text.slice(0, LARGEST)}… (${text.length - LARGEST} more characters)` : text;
    return html("p", {class: `${isSent ? "s" : ""} ${isWrong ? "wrong" : ""}`.trim()}, isSent ? `> ${shown}` : shown);
  };
  const lanes = game.lanes.map((_, lane) => turn.lines.filter((shown) => shown.lane === lane).map(line));
  const time = hasTimes ? [[turn.took?.toFixed(2) ?? ""]] : [];
  const cells = [[`${turn.turn}`], [turn.short], ...time, ...lanes];
  return html("tr", {class: `p${seatOf(turn.by)}`}, ...cells.map((cell) => html("td", {}, ...cell)));
}
const rows = turns.map(row);
const heads = ["Turn", "Move", ...(hasTimes ? ["Time"] : []), ...game.lanes];
list.querySelector("thead").append(html("tr", {}, ...heads.map((head) => html("th", {scope: "col"}, head))));
list.querySelector("tbody").append(...rows);

// The turns that keys look for.
const KINDS = {
  c: {name: "capture", is: (turn) => turns[turn].captured !== null},
  r: {name: "rosette or extra turn", is: (turn) => turns[turn].plays_again || turns[turn].cells[cellOf(turns[turn].to, turns[turn].by)]?.kind === "rosette"},
  s: {name: "skipped turn", is: (turn) => turns[turn].action === "skipped"},
  e: {name: "error or finding", is: (turn) => turns[turn].action === "lost" || turn === last && end.is_bad},
};
// A game offers what it has.
const offered = Object.keys(KINDS).filter((key) => rows.some((_, turn) => KINDS[key].is(turn)));
for (const key in KINDS) $(`[data-key=${key}]`).hidden = !offered.includes(key);
$("#kinds").hidden = !offered.length;
$("#kinds th").textContent = offered.join(" ");
$("#kinds td").textContent = `next ${offered.map((key) => KINDS[key].name).join(", ")}`;

// The recorded pauses are kept, up to 2 s; a turn without a time takes 1 s.
const SPEEDS = [10, 25, 50, 100, 200, 400, 800, 1600, 3200];
const PAGE = 10;

let at = +slider.value;
let speed = 3;
let timer = 0;
let addressTimer = 0;
let target = null;
let isFlipped = false;
let view = null;

function drawBoard() {
  const board = $(".board");
  board.setAttribute("viewBox", `0 0 ${view.width} ${view.height}`);
  board.setAttribute("aria-label", describe(turns[at]));
  board.replaceChildren(...view.fixed, ...position(view, turns[at]));
}

function layBoard() {
  view = lay(isFlipped);
  drawBoard();
}

// Scrolls the list alone, never the page.
function scrollToRow(row) {
  const head = list.querySelector("thead").offsetHeight;
  const top = row.offsetTop - list.clientHeight / 2 + row.offsetHeight / 2;
  if (row.offsetTop - head < list.scrollTop || row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top;
}

function draw() {
  drawBoard();
  $("#caption").textContent = turns[at].says;
  $("#moves .on")?.classList.remove("on");
  $("#moves [aria-current]")?.removeAttribute("aria-current");
  rows[at].classList.add("on");
  rows[at].setAttribute("aria-current", "true");
  scrollToRow(rows[at]);
  slider.value = at;
  slider.setAttribute("aria-valuetext", `turn ${at} of ${last}`);
  $("#link").href = `#${at}`;
}

function go(turn) {
  at = Math.max(0, Math.min(last, turn));
  draw();
  // Browsers limit how often an address changes. Where a frame forbids it, the page still works.
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => {
    try {
      history.replaceState(null, "", `#${at}`);
    } catch { /* a sandbox without an origin */ }
  }, 300);
}

// Steps by the reader's wish, which ends the playback.
function step(turn) {
  pause();
  go(turn);
}

const say = (text) => { $("#message").textContent = text; };

function pause() {
  clearTimeout(timer);
  timer = 0;
  const play = $("#play");
  play.textContent = "▸";
  play.setAttribute("aria-label", "Play");
}

function plan() {
  if (at === last) return pause();
  const took = Math.min(turns[at + 1].took ?? 1, 2);
  timer = setTimeout(() => {
    go(at + 1);
    plan();
  }, took * 100000 / SPEEDS[speed]);
}

function playOrPause() {
  if (timer) return pause();
  if (at === last) go(0);
  $("#play").textContent = "❚❚";
  $("#play").setAttribute("aria-label", "Pause");
  plan();
}

function changeSpeed(by) {
  speed = Math.max(0, Math.min(SPEEDS.length - 1, speed + by));
  $("#speed").textContent = `${SPEEDS[speed]} %`;
  if (!timer) return;
  clearTimeout(timer);
  plan();
}

// A word, or a part of one if it is long enough.
function holds({by, to, says, cells, lines}, text) {
  const moved = cells[cellOf(to, by)]?.token ?? "";
  const said = [says.replace(/^\d+\. /, ""), moved, ...lines.map((line) => line.text)];
  return said.some((line) => {
    line = line.toLowerCase();
    return line === text || line.split(/[^\p{L}\p{N}]+/u).includes(text) || text.length > 2 && line.includes(text);
  });
}

function seek(by) {
  if (!target) return say(`nothing to repeat: / searches${offered.length ? `, ${offered.join(" ")} look for turns` : ""}`);
  for (let i = 1; i <= last + 1; i++) {
    const turn = (at + by * i + (last + 1) * 2) % (last + 1);
    if (target.is(turn)) {
      say("");
      return step(turn);
    }
  }
  say(`no ${target.name}`);
}

function lookFor(key) {
  target = KINDS[key];
  seek(1);
}

function lookForText(text) {
  text = text.trim().toLowerCase();
  if (text) target = {name: `turn with “${text}”`, is: (turn) => holds(turns[turn], text)};
  seek(1);
}

function flip() {
  isFlipped = !isFlipped;
  layBoard();
}

const KEYS = {
  ArrowRight: () => step(at + 1), l: () => step(at + 1), ArrowDown: () => step(at + 1), j: () => step(at + 1),
  ArrowLeft: () => step(at - 1), h: () => step(at - 1), ArrowUp: () => step(at - 1), k: () => step(at - 1), Backspace: () => step(at - 1),
  PageDown: () => step(at + PAGE), PageUp: () => step(at - PAGE),
  Home: () => step(0), g: () => step(0), End: () => step(last), G: () => step(last),
  Enter: () => step(at + 1), c: lookFor, r: lookFor, s: lookFor, e: lookFor,
  n: () => seek(1), N: () => seek(-1), "/": () => search.focus(),
  " ": playOrPause, "+": () => changeSpeed(1), "=": () => changeSpeed(1), "-": () => changeSpeed(-1),
  f: flip, "?": () => $("#keys").showModal(),
};

// Keys that an element of the page needs itself.
function isTaken(element, key) {
  if ($("#keys").open) return true;
  if (element === search) return true;
  if (element === slider) return /^(Arrow|Page|Home|End)/.test(key);
  return /^(BUTTON|A|SUMMARY)$/.test(element.tagName) && (key === " " || key === "Enter");
}

document.addEventListener("keydown", (event) => {
  const {key, target: element} = event;
  if (event.ctrlKey || event.metaKey || event.altKey || isTaken(element, key)) return;
  const action = KEYS[key];
  if (!action) return;
  event.preventDefault();
  action(key);
});
search.addEventListener("keydown", (event) => {
  if (event.key === "Enter") lookForText(search.value);
  if (event.key === "Escape") search.blur();
});
document.querySelectorAll("[data-key]").forEach((button) => button.addEventListener("click", () => KEYS[button.dataset.key](button.dataset.key)));
$("#keys button").addEventListener("click", () => $("#keys").close());
slider.addEventListener("input", () => step(+slider.value));
list.addEventListener("click", (event) => {
  const row = event.target.closest("tbody tr");
  if (row && getSelection().isCollapsed) step(rows.indexOf(row));
});

// A swipe over the board: to the left is forward.
let touch = null;
$("#game").addEventListener("touchstart", ({touches}) => { touch = touches.length === 1 && touches[0]; }, {passive: true});
$("#game").addEventListener("touchend", ({changedTouches, target: element}) => {
  if (!touch || !element.closest(".board")) return;
  const x = changedTouches[0].clientX - touch.clientX;
  const y = changedTouches[0].clientY - touch.clientY;
  if (Math.abs(x) > 30 && Math.abs(x) > 2 * Math.abs(y)) step(at - Math.sign(x));
}, {passive: true});

function follow() {
  const turn = /^#(\d+)$/.exec(location.hash);
  if (turn) {
    pause();
    at = Math.min(last, +turn[1]);
  }
  draw();
}
addEventListener("hashchange", follow);
narrow.addEventListener("change", layBoard);

$("main").hidden = false;
layBoard();
follow();

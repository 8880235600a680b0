/** The eight lines of three squares. */
const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/** Returns the line that one mark fills, or undefined. `squares` are nine of 'X', 'O' and ''. */
export const winningLine = (squares) => LINES.find(([a, b, c]) => squares[a] && squares[a] === squares[b] && squares[a] === squares[c]);

export const freeSquares = (squares) => [...squares.keys()].filter((at) => !squares[at]);

export const otherMark = (mark) => (mark === 'X' ? 'O' : 'X');

/** The value of a position for `mark`, who is next: the sooner a win, the higher; the sooner a loss, the lower. */
function valueOf(squares, mark) {
  const free = freeSquares(squares);
  if (winningLine(squares)) return -1 - free.length;
  return free.length ? Math.max(...free.map((at) => -valueOf(squares.with(at, mark), otherMark(mark)))) : 0;
}

/** Returns a square that the player to move can not improve on; one of several by chance. */
export function bestMove(squares, mark) {
  const rated = freeSquares(squares).map((at) => ({ at, value: -valueOf(squares.with(at, mark), otherMark(mark)) }));
  const best = Math.max(...rated.map(({ value }) => value));
  return anyOf(rated.filter(({ value }) => value === best)).at;
}

/** Returns a square as a beginner chooses it: it completes an own line, but sees no further. */
export function easyMove(squares, mark) {
  const free = freeSquares(squares);
  return free.find((at) => winningLine(squares.with(at, mark))) ?? anyOf(free);
}

const anyOf = (list) => list[Math.floor(Math.random() * list.length)];

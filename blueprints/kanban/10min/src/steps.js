/**
 * Where a card goes with one step of an arrow key: `{ column, before }` as `move` takes them, or undefined at an edge.
 * `board` is a list of columns, each a list of ids from top to bottom.
 */
export function step(board, id, key) {
  const column = board.findIndex((ids) => ids.includes(id));
  const row = board[column].indexOf(id);
  if (key === 'ArrowUp') return row > 0 ? { column, before: board[column][row - 1] } : undefined;
  if (key === 'ArrowDown') return row < board[column].length - 1 ? { column, before: board[column][row + 2] } : undefined;
  const next = column + (key === 'ArrowRight' ? 1 : -1);
  // At the same height in the next column, or at its end.
  return board[next] && { column: next, before: board[next][row] };
}

import { offsetOf, placeOf } from '../place.ts';
import { BuildError } from '../problem.ts';

/** Returns the error of a compiler, without the point at its end. `line` and `column` are from 1. */
export function errorAt(
  path: string,
  source: string,
  line: number,
  column: number,
  message: string,
): BuildError {
  return new BuildError([
    { message: message.replace(/\.$/, ''), ...placeOf(path, source, offsetOf(source, line, column)) },
  ]);
}

/** Returns the error for an offset. */
export function errorAtOffset(path: string, source: string, offset: number, message: string): BuildError {
  return new BuildError([{ message, ...placeOf(path, source, offset) }]);
}

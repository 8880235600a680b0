import { BUILD_LIMITS } from '../contract/builds.ts';
import type { Files } from './files.ts';
import { BuildError } from './problem.ts';

/** Returns the bytes of built files. @throws BuildError `payload_too_large` if they exceed a limit */
export function limitOutput(files: Files): number {
  const { outputFiles, outputFileBytes, outputBytes } = BUILD_LIMITS;
  if (files.size > outputFiles) throw tooLarge(`The build has ${files.size} files, more than ${outputFiles}`);
  let bytes = 0;
  for (const [path, content] of files) {
    bytes += content.length;
    if (content.length > outputFileBytes)
      throw tooLarge(`The built file ${path} has ${content.length} bytes, more than ${outputFileBytes}`);
  }
  if (bytes > outputBytes) throw tooLarge(`The build has ${bytes} bytes, more than ${outputBytes}`);
  return bytes;
}

function tooLarge(message: string): BuildError {
  return new BuildError([{ message }], 'payload_too_large');
}

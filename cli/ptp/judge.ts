import { EXIT, type Judge } from '../../terminal/program.ts';

/** Returns the exit codes and advice of errors, by the status of the response if there was one; 0 means that there was none. */
export function judgeOf(signal: AbortSignal): Judge {
  return {
    exitCode(error) {
      const status = statusOf(error);
      if (signal.aborted) return EXIT.interrupted;
      if (status === 401 || status === 403) return EXIT.unauthorized;
      if (status === 429) return EXIT.rateLimited;
      return status === 0 || (status ?? 0) >= 500 ? EXIT.unavailable : EXIT.failed;
    },
    advice(error) {
      if (statusOf(error) === 0) return 'Start the service, or name another one with --url';
      const rejected = statusOf(error) === 401 && (error as Error).name === 'ApiError';
      return rejected ? 'Log in again with "ptp login"' : undefined;
    },
  };
}

function statusOf(error: unknown): number | undefined {
  const { status } = Object(error) as { status?: unknown };
  return typeof status === 'number' ? status : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Structured log lines. The functions run with Lambda's JSON log format, which wraps what console is given
 * with time, level and request id; an object is kept as it is.
 */
export const log = {
  info: (event: string, fields: Fields = {}) => console.info(JSON.stringify({ event, ...fields })),
  error: (event: string, { error, ...fields }: Fields) =>
    console.error(JSON.stringify({ event, ...fields, ...describe(error) })),
};

/** Name, message and stack of an error and its causes; an SDK error also has its request id. */
function describe(error: unknown): Fields {
  if (!(error instanceof Error)) return error === undefined ? {} : { error: String(error) };
  const { $metadata } = error as { $metadata?: { requestId?: string } };
  return {
    error: error.name,
    message: error.message,
    stack: error.stack,
    ...($metadata?.requestId ? { awsRequestId: $metadata.requestId } : {}),
    ...(error.cause ? { cause: describe(error.cause) } : {}),
  };
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Writes structured log lines. Lambda's JSON log format adds time, level and request id.
 */
export const log = {
  info: (event: string, fields: Fields = {}) => console.info(JSON.stringify({ event, ...fields })),
  error: (event: string, { error, ...fields }: Fields) =>
    console.error(JSON.stringify({ event, ...fields, ...describe(error) })),
};

/** Returns name, message and stack of an error and its causes, and the request id of an SDK error. */
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

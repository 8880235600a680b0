/** The maximum body of a Lambda event, in bytes. */
export const EVENT_BODY = 4_694_016;

/** API Gateway's limit for a body, in bytes. */
export const GATEWAY_BODY = 10_485_760;

/** Returns a request of exactly this many bytes, most of them in files. */
export function bodyOf(bytes: number, projectId?: string): string {
  const files = Array.from({ length: Math.trunc(bytes / 1_000_000) }, (_, i) => ({
    path: i === 0 ? 'index.html' : `${i}.txt`,
    content: `<title>${bytes} bytes</title>${String(i).repeat(990_000)}`,
  }));
  const rest = JSON.stringify({ projectId, files, ignored: '' });
  return JSON.stringify({ projectId, files, ignored: '.'.repeat(bytes - rest.length) });
}

import type { CorsRule } from '../account.ts';
import type { AwsReply } from '../aws-http.ts';
import { S3Error } from './errors.ts';

type Headers = Readonly<Record<string, string>>;

/** Returns the `access-control-*` headers of the response to this request; none when no rule matches. */
export function corsHeaders(rules: readonly CorsRule[], method: string, headers: Headers): Headers {
  const origin = headers.origin;
  if (origin === undefined) return {};
  const requested = (headers['access-control-request-headers'] ?? '').split(',').map((name) => name.trim());
  const rule = rules.find(
    (candidate) =>
      candidate.AllowedMethods.includes(method) &&
      covers(candidate.AllowedOrigins, origin) &&
      requested.every((name) => name === '' || covers(candidate.AllowedHeaders ?? [], name)),
  );
  if (!rule) return {};
  const anyOrigin = rule.AllowedOrigins.includes('*');
  return {
    'access-control-allow-origin': anyOrigin ? '*' : origin,
    ...(anyOrigin ? {} : { 'access-control-allow-credentials': 'true' }),
    'access-control-allow-methods': rule.AllowedMethods.join(', '),
    ...(requested.join('') === ''
      ? {}
      : { 'access-control-allow-headers': requested.join(', ').toLowerCase() }),
    ...(rule.ExposedHeaders ? { 'access-control-expose-headers': rule.ExposedHeaders.join(', ') } : {}),
    ...(rule.MaxAge === undefined ? {} : { 'access-control-max-age': String(rule.MaxAge) }),
    vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
  };
}

/** Returns the reply to a preflight request, which is not signed. @throws S3Error AccessForbidden */
export function preflight(rules: readonly CorsRule[], headers: Headers): AwsReply {
  const allowed = corsHeaders(rules, headers['access-control-request-method'] ?? '', headers);
  if (Object.keys(allowed).length > 0) return { status: 200, headers: allowed, body: '' };
  throw new S3Error('AccessForbidden', 'CORSResponse: This CORS request is not allowed.');
}

/** Reports whether a pattern matches; each may contain one `*`. */
function covers(patterns: readonly string[], value: string): boolean {
  return patterns.some((pattern) => {
    const [start = '', end] = pattern.toLowerCase().split('*');
    const text = value.toLowerCase();
    if (end === undefined) return text === start;
    return text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end);
  });
}

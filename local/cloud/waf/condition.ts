import { type HttpRequest, header } from '../http.ts';
import type { Condition } from './properties.ts';

/** Returns whether a request matches a condition. */
export function matches(condition: Condition, request: HttpRequest): boolean {
  const { ByteMatchStatement: bytes, NotStatement: not, OrStatement: or } = condition;
  if (not) return !matches(not.Statement, request);
  if (or) return or.Statements.some((one) => matches(one, request));
  if (!bytes) return false;
  const { FieldToMatch: field, SearchString: wanted, PositionalConstraint } = bytes;
  const found = 'UriPath' in field ? request.path : header(request.headers, field.SingleHeader.Name);
  if (found === undefined) return false;
  return PositionalConstraint === 'EXACTLY' ? found === wanted : found.startsWith(wanted);
}

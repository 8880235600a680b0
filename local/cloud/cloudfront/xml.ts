import type { AwsReply } from '../aws-http.ts';

/** Returns a reply in the protocol of CloudFront's API. */
export function xml(status: number, body: string, headers: Readonly<Record<string, string>> = {}): AwsReply {
  return { status, headers: { 'content-type': 'text/xml', ...headers }, body };
}

export function failure(status: number, code: string, message: string): AwsReply {
  const error = `<Type>Sender</Type><Code>${code}</Code><Message>${escapeXml(message)}</Message>`;
  return xml(status, `<ErrorResponse><Error>${error}</Error></ErrorResponse>`);
}

/** Returns the texts of all elements of a name that have no children. */
export function textsOf(body: string, name: string): string[] {
  return [...body.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) =>
    unescapeXml(text),
  );
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export function unescapeXml(text: string): string {
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_all, name: string) => entities[name] ?? '');
}

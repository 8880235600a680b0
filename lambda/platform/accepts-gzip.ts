/**
 * Reports whether an Accept-Encoding header lists gzip, or `*`, with a weight above 0 (RFC 9110, 12.5.3). A request without
 * the header accepts anything by the RFC, but CloudFront drops the header if the viewer accepts neither gzip nor Brotli.
 */
export function acceptsGzip(acceptEncoding = ''): boolean {
  const weights = new Map<string, number>();
  for (const item of acceptEncoding.toLowerCase().split(',')) {
    const [, coding = '', weight = '1'] = /^\s*([\w*-]+)\s*(?:;\s*q=([\d.]+)\s*)?$/.exec(item) ?? [];
    weights.set(coding.replace(/^x-/, ''), Number(weight));
  }
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}

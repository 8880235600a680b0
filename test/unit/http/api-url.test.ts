import { apiUrls } from '../../../lambda/http/api-url.ts';
import { testRows } from '../../support/rows.ts';

const apiUrl = apiUrls('https://ptp.example.com', 'secret');
const request = (headers: Record<string, string>) => ({
  headers: { host: 'abc.execute-api.us-east-1.amazonaws.com', ...headers },
  sourceIp: '192.0.2.1',
  stage: 'api',
});

it('keeps the port of the base URL', () => {
  const local = apiUrls('http://localhost:3000', 'secret');
  const headers = { 'x-ptp-origin-secret': 'secret', 'x-ptp-viewer-host': '127.0.0.1' };
  expect(local(request(headers), '/api/v1/things/1')).toBe('http://127.0.0.1:3000/api/v1/things/1');
});

testRows([
  ['through the distribution', { 'x-ptp-origin-secret': 'secret' }, 'https://ptp.example.com'],
  [
    'through another domain name of the distribution',
    { 'x-ptp-origin-secret': 'secret', 'x-ptp-viewer-host': 'd1.cloudfront.net' },
    'https://d1.cloudfront.net',
  ],
  ['directly to API Gateway', {}, 'https://abc.execute-api.us-east-1.amazonaws.com/api'],
  [
    'directly to API Gateway with a forged secret',
    { 'x-ptp-origin-secret': 'guess', 'x-ptp-viewer-host': 'elsewhere.example' },
    'https://abc.execute-api.us-east-1.amazonaws.com/api',
  ],
])('stays on the origin of a request', (_, headers, origin) => {
  expect(apiUrl(request(headers), '/api/v1/things/1')).toBe(`${origin}/api/v1/things/1`);
});

import { apiUrls } from '../../../lambda/http/request.ts';
import { testRows } from '../../support/rows.ts';

const apiUrl = apiUrls('https://ptp.example.com');
const request = (throughDistribution: boolean, headers: Record<string, string> = {}) => ({
  headers: { host: 'abc.execute-api.us-east-1.amazonaws.com', ...headers },
  throughDistribution,
  stage: 'api',
});

it('keeps the port of the base URL', () => {
  const local = apiUrls('http://localhost:3000');
  expect(local(request(true, { 'x-ptp-viewer-host': '127.0.0.1' }), '/api/v1/things/1')).toBe(
    'http://127.0.0.1:3000/api/v1/things/1',
  );
});

testRows([
  ['through the distribution', true, {}, 'https://ptp.example.com'],
  [
    'through another domain name of the distribution',
    true,
    { 'x-ptp-viewer-host': 'd1.cloudfront.net' },
    'https://d1.cloudfront.net',
  ],
  ['directly to API Gateway', false, {}, 'https://abc.execute-api.us-east-1.amazonaws.com/api'],
  [
    'directly to API Gateway with a forged host',
    false,
    { 'x-ptp-viewer-host': 'elsewhere.example' },
    'https://abc.execute-api.us-east-1.amazonaws.com/api',
  ],
])('stays on the origin of a request', (_, through, headers, origin) => {
  expect(apiUrl(request(through, headers), '/api/v1/things/1')).toBe(`${origin}/api/v1/things/1`);
});

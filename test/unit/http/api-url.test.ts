import { apiUrls } from '../../../lambda/http/api-url.ts';

const apiUrl = apiUrls('https://ptp.example.com', 'secret');
const request = (headers: Record<string, string>) => ({
  headers: { host: 'abc.execute-api.us-east-1.amazonaws.com', ...headers },
  sourceIp: '192.0.2.1',
  stage: 'api',
});

it.each([
  ['through the distribution', { 'x-ptp-origin-secret': 'secret' }, 'https://ptp.example.com'],
  ['to API Gateway itself', {}, 'https://abc.execute-api.us-east-1.amazonaws.com/api'],
  [
    'to API Gateway with a forged secret',
    { 'x-ptp-origin-secret': 'guess' },
    'https://abc.execute-api.us-east-1.amazonaws.com/api',
  ],
])('stays on the origin of a request %s', (_, headers, origin) => {
  expect(apiUrl(request(headers), '/api/v1/things/1')).toBe(`${origin}/api/v1/things/1`);
});

import { deploymentIdIn } from '../../../lambda/stored/deployment.ts';
import { testRows } from '../../support/rows.ts';

const ID = 'abc0def1ghi2';
const BASE = 'https://ptp.example.com';

testRows([
  [ID, ID],
  [` ${ID}\n`, ID],
  ['123456789012', '123456789012'],
  [`${BASE}/d/${ID}`, ID],
  [`${BASE}/d/${ID}/deep/page?a=1#b`, ID],
  [`${BASE}/d/${ID}.zip`, ID],
  [`ptp.example.com/d/${ID}/`, ID],
  [`localhost:3000/d/${ID}`, ID],
  [`https://d111.cloudfront.net/d/${ID}/`, ID],
  [`https://${ID}.sites.example/page`, ID],
  [`${ID}.sites.example`, ID],
  [`http://${ID}.sites.localhost:3000/`, ID],
  // The site chooses the path on its own origin.
  [`https://${ID}.sites.example/d/zzzzzzzzzzzz/`, ID],
  ['', undefined],
  ['abc', undefined],
  [BASE, undefined],
  [`${BASE}/d/short/`, undefined],
  [`${BASE}/e/${ID}`, undefined],
  ['https://example.com/', undefined],
  ['javascript:alert(1)', undefined],
])('finds the deployment of an address', (address, expected) => {
  expect(deploymentIdIn(address as string, BASE)).toBe(expected);
});

it('takes no label of the service’s own host for a deployment', () => {
  expect(deploymentIdIn('https://ptpserviceab.example.com/', 'https://ptpserviceab.example.com')).toBeUndefined();
});

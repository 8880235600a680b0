import { deploymentIdIn } from '../../../lambda/stored/deployment.ts';
import { testRows } from '../../support/rows.ts';

const ID = 'abc0def1ghi2';
const BASE = 'https://ptp.example.com';

testRows([
  [ID, ID],
  [` ${ID}\n`, ID],
  [`${BASE}/d/${ID}/deep/page?a=1#b`, ID],
  [`${BASE}/d/${ID}.zip`, ID],
  [`ptp.example.com/d/${ID}/`, ID],
  [`localhost:3000/d/${ID}`, ID],
  [`https://${ID}.sites.example/page`, ID],
  // The site chooses the path on its own origin.
  ['', undefined],
  ['abc', undefined],
  [`${BASE}/e/${ID}`, undefined],
])('finds the deployment of an address', (address, expected) => {
  expect(deploymentIdIn(address as string, BASE)).toBe(expected);
});

it('takes no label of the service’s own host for a deployment', () => {
  expect(deploymentIdIn('https://ptpserviceab.example.com/', 'https://ptpserviceab.example.com')).toBeUndefined();
});

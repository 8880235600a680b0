import { isGroupOf } from '../../../cli/trace.ts';

it('reads the log groups of a stack, and not those of a stack whose name begins like its name', () => {
  const groups = ['ptp-prod-GenerationApiLogs1-X', 'ptp-prod-eu-GenerationApiLogs1-X', 'ptp-GenerationApiLogs1-X'];
  expect(groups.filter((group) => isGroupOf(group, 'ptp-prod'))).toEqual(['ptp-prod-GenerationApiLogs1-X']);
});

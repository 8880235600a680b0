import Default from '@jest/test-sequencer';

/** The files that take longest, in seconds on two cores: started first, so that none of them runs alone at the end. */
const SECONDS = [
  ['unit/access/tokens', 5],
  ['unit/local/lambda', 5],
  ['unit/generation/attempt', 4],
  ['operations/smoke', 45],
  ['attacks/running', 26],
  ['generation/fallback-matrix', 25],
  ['integration/tutorial', 25],
  ['access/access-matrix', 25],
  ['attacks/model-tokens', 25],
  ['operations/alarms', 25],
  ['faults/clocks', 22],
  ['attacks/leaked-key', 20],
  ['deployments/takedown', 20],
  ['integration/ptp/settings', 20],
  ['operations/restore', 18],
  ['access/rotate', 17],
  ['deployments/builds', 17],
  ['generation/generation-cost', 16],
  ['deployments/domains', 16],
  ['deployments/views', 16],
  ['deployments/private-pages', 16],
  ['attacks/closed', 15],
  ['local/step-functions', 15],
  ['generation/whole-projects', 15],
  ['attacks/openapi', 15],
];

/** Unit tests first, while the cloud of the integration tests starts; then the longest files; then by size. */
export default class Sequencer extends Default {
  sort(tests) {
    const rank = ({ path, context }) => {
      const unit = context.config.displayName?.name !== 'integration';
      const seconds = SECONDS.find(([file]) => path.includes(file))?.[1] ?? 0;
      return (unit && seconds > 0 ? 1_000 : 0) + seconds;
    };
    const bySize = super.sort(tests);
    return [...bySize].sort((a, b) => rank(b) - rank(a));
  }
}

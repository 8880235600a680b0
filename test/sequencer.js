// biome-ignore lint/correctness/noUndeclaredDependencies: a part of jest
import Default from '@jest/test-sequencer';

/** The files that take longest, in seconds on two cores: started first, so that none of them runs alone at the end. */
const SECONDS = [
  ['unit/access/tokens', 5],
  ['unit/local/lambda', 5],
  ['unit/generation/attempt', 4],
  ['generation/fallback-matrix', 20],
  ['deployments/takedown', 16],
  ['generation/whole-projects', 15],
  ['deployments/visibility', 14],
  ['faults/deploy-faults', 13],
  ['faults/generation-storage-unreachable', 10],
  ['integration/ptp', 12],
  ['operations/smoke', 10],
  ['integration/discovery', 10],
  ['deployments/own-origins', 10],
  ['generation/generate-deploy', 10],
  ['deployments/deploy-staged', 9],
  ['faults/limiter-unreachable', 8],
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

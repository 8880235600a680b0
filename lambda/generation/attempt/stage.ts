import type { UsageStore } from '../../access/usage-store.ts';
import type { ProviderName } from '../../contract/generate.ts';
import type { Retry } from '../../platform/unreachable.ts';
import type { ProjectFileStore } from '../../stored/projects/project-file-store.ts';
import type { EndStores } from '../after-end.ts';
import type { Generation } from '../generation.ts';
import type { GenerationStore } from '../generation-store.ts';
import type { Provider } from '../providers/provider.ts';
import type { Checkers } from './check.ts';
import type { Deadlines } from './deadlines.ts';
import type { Spend } from './spending.ts';

/** The stage that attempts run on: its stores, its providers, and what checks projects. */
export interface Stage extends EndStores, Checkers {
  readonly generations: GenerationStore;
  readonly usage: Pick<UsageStore, 'recordAmounts'>;
  readonly files: ProjectFileStore;
  readonly provider: (name: ProviderName) => Provider;
  /** Returns how the calls of a generation are paid. */
  readonly spendingOf: (generation: Generation, retry: Retry) => Spend;
  readonly deadlines: Deadlines;
}

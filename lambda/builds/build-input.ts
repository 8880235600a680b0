import type { BuildReport } from '../contract/builds.ts';
import type { Files } from './files.ts';
import type { PackageSource } from './packages/package-tree.ts';

export type { BuildInput } from '../sites/source/build-input.ts';

export interface BuildOutput {
  /** The site. */
  readonly files: Files;
  readonly report: BuildReport;
}

/** The packages' bundle of the last build of a project: one slot, whose content says for which names and versions it is. */
export interface VendorSlot {
  read(): Promise<Uint8Array | undefined>;
  write(bundle: Uint8Array): Promise<void>;
}

export interface BuildPorts {
  readonly packages: PackageSource;
  readonly vendor: VendorSlot;
}

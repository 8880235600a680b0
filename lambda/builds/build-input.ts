import type { BuildReport } from '../contract/builds.ts';
import type { Files } from './files.ts';
import type { PackageSource } from './packages/package-tree.ts';

/** What is built. Equal inputs give equal outputs, byte for byte. */
export interface BuildInput {
  /** The source as it was sent, with `.env` files. */
  readonly files: Files;
  /** `VITE_*` variables of the request; they take precedence over those of `.env` files. */
  readonly env: Readonly<Record<string, string>>;
  /** Own code is not minified and has an inline source map. */
  readonly preview: boolean;
  /** Versions of packages that an earlier build of the same deployment chose, by name. */
  readonly chosen: Readonly<Record<string, string>>;
}

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

import * as z from 'zod';
import type { BuildProblem } from '../contract/builds.ts';
import { BUILD_LIMITS } from '../contract/limits.ts';
import { log, logAbout } from '../platform/log.ts';
import { download, upload } from '../platform/presigned.ts';
import { packContents, unpackSite } from '../sites/archive.ts';
import type { BuildInput } from '../sites/source/build.ts';
import { builtSite, splitHeader } from '../sites/source/build.ts';
import type { BuildOutput, VendorSlot } from './context.ts';
import type { Files } from './files.ts';
import { BuildError, type BuildErrorCode } from './problems.ts';

/** The event: presigned URLs of all that a build reads and writes, besides packages. */
interface BuildEvent {
  /** The settings of the build as a line of JSON, and the files (`packSite`). */
  readonly in: string;
  /** Gets the result (`builtSite`). */
  readonly out: string;
  readonly vendor: { readonly get: string; readonly put: string };
  /** Fields for the log lines of this invocation. */
  readonly about?: Readonly<Record<string, unknown>>;
}

/** The site is written, or the project cannot be built. */
type BuildOutcome =
  | { readonly built: true }
  | { readonly error: BuildErrorCode; readonly problems: readonly BuildProblem[] };

const settings = z.strictObject({
  env: z.record(z.string(), z.string()),
  preview: z.boolean(),
  chosen: z.record(z.string(), z.string()),
});

/**
 * Returns the handler of the build function. What a project causes is a result; any other error is thrown, and logged
 * by Lambda. The log has numbers only: neither paths nor contents.
 * @param build with the given vendor slot
 */
export function buildHandler(build: (input: BuildInput, vendor: VendorSlot) => Promise<BuildOutput>) {
  return async (event: BuildEvent): Promise<BuildOutcome> => {
    const begun = performance.now();
    logAbout(event.about ?? {});
    const input = await readInput(event.in);
    const given = { files: input.files.size, bytes: sizeOf(input.files), preview: input.preview };
    const logged = (result: object) =>
      log.info('build', { ...given, ...result, ms: Math.round(performance.now() - begun) });
    try {
      const { files, report } = await build(input, vendorSlot(event.vendor));
      const { stored } = builtSite(report, packContents(files));
      await upload(event.out, stored);
      logged({
        builtFiles: report.files,
        builtBytes: report.bytes,
        packages: Object.keys(report.packages).length,
      });
      return { built: true };
    } catch (error) {
      if (!(error instanceof BuildError)) throw error;
      logged({ error: error.code, problems: error.problems.length });
      return { error: error.code, problems: error.problems.slice(0, BUILD_LIMITS.problems) };
    }
  };
}

async function readInput(url: string): Promise<BuildInput> {
  const stored = await download(url);
  if (!stored) throw new Error('The input of the build does not exist');
  const { header, rest } = splitHeader(stored);
  return { ...settings.parse(header), files: unpackSite(rest) };
}

function sizeOf(files: Files): number {
  return [...files.values()].reduce((sum, { length }) => sum + length, 0);
}

/** Returns the vendor slot of a build. Without it, a build takes longer: an upload that fails is no error. */
function vendorSlot({ get, put }: { readonly get: string; readonly put: string }): VendorSlot {
  return {
    read: () => download(get).catch(() => undefined),
    write: (bundle) => upload(put, bundle).catch(() => undefined),
  };
}

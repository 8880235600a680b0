import { totalSize } from '../../sites/accept-files.ts';
import { unpackSite } from '../../sites/archive.ts';
import { withLine } from '../../sites/source/built-site.ts';
import type { Builder } from '../../stored/builds/builder.ts';
import { type Deployment, liveVersion } from '../../stored/deployment.ts';
import type { ArchiveStore, StoredReport } from '../store/archive-store.ts';
import { aboutSite, type PackedSite, type PackedSource } from './submission.ts';

export interface BuildSourcePorts {
  readonly archives: Pick<ArchiveStore, 'report'>;
  readonly builder: Builder;
}

/**
 * Builds the source of a deploy. Without variables in the request, those of the live version stay.
 * @param before the deployment before this deploy; undefined if it is new
 * @param tenant for whom it is built, as `Builder.build` has it
 * @throws ApiError build_failed, payload_too_large, unavailable
 */
export async function buildSource(
  { archive, source }: PackedSource,
  before: Deployment | undefined,
  tenant: string,
  { archives, builder }: BuildSourcePorts,
): Promise<PackedSite> {
  const kept = before && (await liveReport(before, archives));
  const env = source.variables ?? kept?.env ?? {};
  const input = { files: unpackSite(archive), env, preview: false, chosen: kept?.packages ?? {} };
  const { report, archive: output } = await builder.build(tenant, input);
  const site = Array.from(unpackSite(output), ([path, content]) => ({ path, content }));
  const { hashedNames, ...seen } = aboutSite(site);
  const stored: StoredReport = { ...report, env };
  const built = withLine(stored, output);
  const warning = warningOf(report.warnings);
  const about = {
    ...seen,
    fileCount: source.files.length,
    bytes: totalSize(source.files),
    built: built.length,
    ...(warning === undefined ? {} : { warning }),
  };
  return { archive, about, hashedNames, built };
}

/** Returns the report of the live version, or undefined if there is none or it was not built. */
async function liveReport(
  deployment: Deployment,
  archives: BuildSourcePorts['archives'],
): Promise<StoredReport | undefined> {
  const live = liveVersion(deployment);
  return live?.built === undefined ? undefined : archives.report(deployment.id, live.version);
}

/** The characters of a warning in a header and in the item of the deployment, which visits read. */
const WARNING_CHARACTERS = 400;

/** Returns the first warnings of a build as one line of ASCII, which a header can have, or undefined without warnings. */
function warningOf(warnings: readonly string[]): string | undefined {
  if (warnings.length === 0) return undefined;
  const text = warnings
    .slice(0, 3)
    .join('. ')
    .replace(/[^\x20-\x7e]+/g, '?');
  const more = warnings.length > 3 ? `. And ${warnings.length - 3} more` : '';
  return text.length > WARNING_CHARACTERS ? `${text.slice(0, WARNING_CHARACTERS)}...` : text + more;
}

import type { BuildRequest } from '../contract/builds.ts';
import { ApiError } from '../contract/errors.ts';
import type { BuildResponse } from '../contract/responses/builds.ts';
import { codedBody } from '../http/proxy-event.ts';
import type { ApiRequest } from '../http/request.ts';
import { type Call, type Route, route } from '../http/router.ts';
import { announcedBytes } from '../http/stored-bytes.ts';
import { acceptFiles } from '../sites/accept-files.ts';
import { unpackSite } from '../sites/archive.ts';
import { isForeign, isUnpublished } from '../sites/folder-rules.ts';
import { entryOf } from '../sites/paths.ts';
import { type BuiltSite, isSourceMap } from '../sites/source/build.ts';
import { textOf } from '../sites/text-of.ts';
import type { Builder } from '../stored/builds/builder.ts';
import { ANONYMOUS } from '../stored/deployment-owner.ts';
import type { GeneratedProjects } from '../stored/projects/project-contents.ts';
import { sourceOf } from './submission.ts';

/**
 * Returns the route that builds a project without deploying it.
 * @param generated returns the files of a generation that a caller may read
 */
export function buildRoute(builder: Builder, generated: GeneratedProjects['visible']): Route {
  const respond = async ({ request, body }: Call<'build'>) => {
    const built = buildResponse(await build(body, request, builder, generated));
    await requireFits(built, request);
    return { statusCode: 200, body: built, amounts: { files: built.files.length, bytes: built.bytes } };
  };
  return route('build', respond, announcedBytes);
}

/** @throws ApiError invalid_request if the files are no source, and the errors of `Builder.build` */
async function build(
  { files = [], generationId, env, preview = false }: BuildRequest,
  { caller }: ApiRequest,
  builder: Builder,
  generated: GeneratedProjects['visible'],
): Promise<BuiltSite> {
  // As a deploy does.
  const own = files.filter(({ path }) => !isForeign(path));
  const sent = generationId === undefined ? acceptFiles(own) : await generated(generationId, caller);
  const source = sourceOf(sent, env);
  if (!source)
    throw new ApiError(
      'invalid_request',
      'There is nothing to build: the start page loads no source. Deploy publishes these files as they are',
    );
  const input = {
    files: new Map(source.files.map(({ path, content }) => [path, Buffer.from(content)])),
    env: source.variables ?? {},
    preview,
    chosen: {},
  };
  return builder.build(caller?.id ?? ANONYMOUS, input);
}

function buildResponse({ report, archive }: BuiltSite): BuildResponse {
  const files = [...unpackSite(archive)].filter(([path]) => !isSourceMap(path) && !isUnpublished(path));
  const { packages, warnings, bytes } = report;
  return {
    files: files.map(([path, content]) => ({ path, ...contentOf(content) })),
    entry: entryOf(files.map(([path]) => path)),
    packages,
    warnings,
    bytes,
  };
}

function contentOf(bytes: Uint8Array): { content: string; encoding?: 'base64' } {
  const text = textOf(bytes);
  return text === undefined
    ? { content: Buffer.from(bytes).toString('base64'), encoding: 'base64' }
    : { content: text };
}

/** A response of Lambda has at most 6 MB; the rest is for its headers. */
const RESPONSE_BYTES = 6 * 1_048_576 - 32_768;

/** @throws ApiError payload_too_large if a response of Lambda cannot have these files */
async function requireFits(body: BuildResponse, request: ApiRequest): Promise<void> {
  // A body that is not compressed is a string in JSON, which escapes it once more.
  if (2 * JSON.stringify(body).length < RESPONSE_BYTES) return;
  const { bytes, headers } = await codedBody(request, { body });
  const isCompressed = headers['Content-Encoding'] !== undefined;
  const length = isCompressed ? (bytes.length * 4) / 3 : Buffer.byteLength(JSON.stringify(bytes.toString()));
  if (length <= RESPONSE_BYTES) return;
  const hint = isCompressed ? '' : ', or send Accept-Encoding: gzip';
  throw new ApiError(
    'payload_too_large',
    `The built files have ${body.bytes.toLocaleString('en')} bytes, which fit into no response: deploy the project${hint}`,
  );
}

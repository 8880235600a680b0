import * as z from 'zod';
import { LIMITS } from './limits.ts';
import { atMost, list, object, oneOf, text } from './messages.ts';
import type { deploymentResource, deployResponse, versionResource } from './responses/deploy.ts';

/** `projectId`: chosen by the caller; its URL stays the same over all deploys. */
export const PROJECT_ID = /^[A-Za-z0-9._-]{1,128}$/;

const ENCODINGS = ['utf-8', 'base64'] as const;

const deployFile = z.object(
  {
    path: z
      .string(text('path', 'where the file stands in the project'))
      .describe(
        'Relative, with `/` between folders; refused rather than repaired when it is not safe everywhere.',
      ),
    content: z
      .string(text('content', 'the text of the file'))
      .describe('The text of the file, or its bytes as `encoding` says; at most 1 MB once decoded.'),
    encoding: z
      .enum(ENCODINGS, oneOf('encoding', ENCODINGS))
      .optional()
      .describe(
        '`base64` for images, fonts and text in another encoding (RFC 4648, 4); text as UTF-8 without it.',
      ),
  },
  object('every file'),
);

/** Body of `POST /api/v1/deploy`. Unknown fields are ignored, so that a generate answer can be sent as it is. */
export const deployRequest = z.object({
  files: z
    .array(deployFile, list('files', 'the files of the project, each with a path and content'))
    .min(1, 'files is empty: a deployment has at least one file')
    .max(
      LIMITS.filesPerDeployment,
      atMost('files', LIMITS.filesPerDeployment, 'entries', (files) => (files as unknown[]).length),
    )
    .describe('1 to 200 files, at most 10 MB in total.'),
  projectId: z
    .string(text('projectId', 'a name for the project'))
    .regex(PROJECT_ID, 'projectId must be 1 to 128 of A-Z a-z 0-9 . _ -')
    .optional()
    .describe(
      'A later deploy with the same projectId reuses the URL. Without an API key all callers share one space of ids: ' +
        'use a random one, because everyone who knows it can deploy over it until a deploy sends `X-Deployment-Token`.',
    ),
});

export type DeployRequest = z.output<typeof deployRequest>;
export type DeployFile = DeployRequest['files'][number];

/** Body of `POST /api/v1/deployments/{id}/rollback`. */
export const rollbackRequest = z.object({
  version: z
    .string(text('version', 'which of the deployment’s versions shall be live'))
    .describe('One of the `versions` that the deployment has.'),
});

/** Answer of `POST /api/v1/deploy`. */
export type DeployResponse = z.output<typeof deployResponse>;

/** One of a deployment's versions. */
export type VersionResource = z.output<typeof versionResource>;

/** Answer of `GET /api/v1/deployments/{id}`. */
export type DeploymentResource = z.output<typeof deploymentResource>;

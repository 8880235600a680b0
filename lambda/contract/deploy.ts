import * as z from 'zod';
import { buildVariables } from './builds.ts';
import { contentFile, fileList } from './files.ts';
import { exactlyOne, kindOf, text } from './messages.ts';
import { accessFields, checkAccess, expiresInSeconds } from './page-settings.ts';
import type { deploymentResource, deployResponse, domainResource, versionResource } from './responses/deploy.ts';
import { webhook } from './webhooks.ts';

/** `projectId`, chosen by the caller: deploys with the same value share one URL. */
const PROJECT_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** `projectId` of a deploy. */
export const projectId = z
  .string(text('projectId', 'a name for the project'))
  .regex(PROJECT_ID, 'projectId must be 1 to 128 characters from A-Z a-z 0-9 . _ -')
  .optional()
  .describe(
    'Deploys with the same projectId share one URL. Without an API key, all callers share one namespace: use a ' +
      'random value, because anyone who knows it can overwrite the deployment until a deploy sends `X-Deployment-Token`.',
  );

/** SHA-256 in hexadecimal digits. */
const SHA256 = /^[0-9A-Fa-f]{64}$/;

const fileFields = contentFile.extend({
  content: contentFile.shape.content
    .optional()
    .describe('Text, or bytes in the given `encoding`; at most 1 MB once decoded. Required unless `sha256` is sent.'),
  sha256: z
    .string(text('sha256', 'the SHA-256 of the file'))
    .regex(SHA256, 'sha256 must be the SHA-256 of the file’s bytes as 64 hexadecimal digits')
    .toLowerCase()
    .optional()
    .describe(
      'Instead of `content`, for a file that the live version of the project has, at any path: the SHA-256 of its ' +
        'bytes as 64 hexadecimal digits. Requires the `projectId`.',
    ),
});

const deployFile = fileFields.superRefine(
  exactlyOne('content', 'sha256', 'the content of the file, or its sha256 if the live version has the file'),
);

/** Body of `POST /api/v1/deploy`. Unknown fields are ignored, so that a generate response can be sent unchanged. */
export const deployRequest = z
  .object({
    files: fileList(deployFile, 'files is empty: a deployment has at least one file')
      .optional()
      .describe(
        '1 to 200 files, at most 10 MB in total. Required unless `generationId` is sent. Hidden files other than `.well-known/`, such as ' +
          '`.env` and `.git/`, and `node_modules/` are not published: the warning names them.',
      ),
    generationId: z
      .string(text('generationId', 'the id of a generation'))
      .optional()
      .describe('Instead of `files`: deploys the project of this generation.'),
    projectId,
    build: z
      .boolean({ error: ({ input }) => `build must be true or false, not ${kindOf(input)}` })
      .optional()
      .describe(
        'With `false`, files are published as they are, even if they are the source of a project that a browser cannot run. Default: `true`.',
      ),
    env: buildVariables,
    expiresInSeconds: expiresInSeconds
      .nullable()
      .optional()
      .describe(
        'After how many seconds the deployment expires, from 60 to a year. Each later deploy by its owner renews that, unless it sends another number, or `null` for as long as possible. Default: never with an API key, otherwise as long as the service keeps anonymous deployments.',
      ),
    ...accessFields,
    webhook: webhook.optional().describe('Receives a notification of the deploy. Requires an API key.'),
  })
  .superRefine(
    exactlyOne(
      'files',
      'generationId',
      'the files of the project, each with a path and content, or send generationId instead',
    ),
  )
  .refine(
    ({ files, projectId }) => projectId !== undefined || !files || files.every(({ sha256 }) => sha256 === undefined),
    'sha256 stands for a file of the live version of a project: send its projectId, or the content of every file',
  )
  .superRefine(checkAccess);

export type DeployRequest = z.output<typeof deployRequest>;
export type DeployFile = NonNullable<DeployRequest['files']>[number];

/** Body of `POST /api/v1/deployments/{id}/rollback`. */
export const rollbackRequest = z.object({
  version: z.string(text('version', 'the version to make live')).describe('One of the deployment’s `versions`.'),
});

/** Response of `POST /api/v1/deploy`. */
export type DeployResponse = z.output<typeof deployResponse>;

/** A version of a deployment. */
export type VersionResource = z.output<typeof versionResource>;

/** Response of `GET /api/v1/deployments/{id}`. */
export type DeploymentResource = z.output<typeof deploymentResource>;

/** A domain of a deployment, and response of `PUT` and `DELETE /api/v1/deployments/{id}/domains/{domain}`. */
export type DomainResource = z.output<typeof domainResource>;

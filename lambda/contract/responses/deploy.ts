import * as z from 'zod';
import { DOMAIN_STATES } from '../domains.ts';
import { GATE_KINDS } from '../gate.ts';
import { LIMITS } from '../limits.ts';
import { ACCESS } from '../page-settings.ts';
import { buildReport } from './builds.ts';
import { look } from './looks.ts';

/** The fields of a deployment that say who may see it. */
const sharedFields = {
  access: z
    .enum(ACCESS)
    .describe('Who may see the pages. In the response of a deploy only if the request has `access`.'),
  link: z
    .strictObject({
      url: z.string().describe('The URL to send to people: it opens the pages in their browsers.'),
      expiresAt: z.int().describe('Unix time in milliseconds until which it does.'),
    })
    .optional()
    .describe('The link of pages with `access: "link"`. A change of `access` ends it.'),
  copiesUntil: z
    .int()
    .optional()
    .describe(
      'Unix time in milliseconds until which edge locations may still have copies from before the last change of the settings, such as public pages that became private. After it there are none.',
    ),
};

const sharedAccess = z.strictObject(sharedFields);

export type SharedAccess = z.output<typeof sharedAccess>;

/** When a deployment ends, and when it was claimed. */
export const lifeFields = {
  expiresAt: z
    .int()
    .optional()
    .describe(
      'Unix time in milliseconds from which the pages are a 410. Absent if the deployment stays. Each deploy by its owner renews it.',
    ),
  claimedAt: z
    .int()
    .optional()
    .describe('Unix time in milliseconds when the owner claimed the deployment, which was anonymous before.'),
};

/** Body of `PUT` and `DELETE /api/v1/deployments/{id}/domains/{domain}`. */
export const domainResource = z.strictObject({
  domain: z.string().describe('The domain name, in lower case. Names in other scripts are in Punycode.'),
  url: z.string().describe('The address of the pages there, once the domain is `active`.'),
  state: z
    .enum(DOMAIN_STATES)
    .describe(
      '`waiting_for_dns` until all `records` are found, `issuing` while the certificate is made and the domain is set up everywhere, `active` once it serves the pages. `failed` has a `reason`; the next `PUT` tries again. `removing` until the domain is gone.',
    ),
  reason: z.string().optional().describe('Why the domain failed, or what it waits for.'),
  records: z
    .array(
      z.strictObject({
        type: z
          .enum(['ALIAS', 'CNAME', 'TXT'])
          .describe(
            '`ALIAS` for the apex of a zone, where DNS allows no CNAME record: an alias record, which some DNS providers call ANAME or flattened CNAME.',
          ),
        name: z.string().describe('The full name of the record.'),
        value: z.string().describe('Its value.'),
      }),
    )
    .readonly()
    .describe(
      'The DNS records to create, all of them. Keep them: the certificate is renewed with them. Empty where a name needs none.',
    ),
  addedAt: z.int().describe('Unix time in milliseconds when the domain was added.'),
});

/** Body of `POST /api/v1/reports`. */
export const reportResponse = z.strictObject({
  id: z.string().describe('Id of the report. Reports of a page by the same caller in a UTC day are one, with one id.'),
  deploymentId: z.string().describe('Id of the reported deployment.'),
});

const site = {
  entry: z.string().describe('Path of the entry HTML file; an empty string if there is none.'),
  fileCount: z.int().describe('Number of files stored.'),
  title: z.string().nullable().describe('Text of the first `<title>` tag; null if there is none.'),
};
const warning = z
  .string()
  .optional()
  .describe(
    'What may not work for visitors, and what to do: files that are not published, the first warnings of a build, or that the files are source, which browsers do not run.',
  );
const bytes = z.int().describe('Total size of the files in bytes.');

/** Body of `POST /api/v1/deploy`. It has `access`, `link` and `copiesUntil` only if the request has `access`. */
export const deployResponse = z.strictObject({
  id: z.string().describe('Id of the deployment.'),
  url: z.string().describe('Public URL of the deployment.'),
  ...site,
  createdAt: z.int().describe('Unix time in milliseconds of the first deploy. Later deploys do not change it.'),
  ...z.object(sharedFields).partial().shape,
});

/** A deployment in the response of the generation that made it. Events have no headers of their own. */
export const generatedDeployment = deployResponse.extend({ expiresAt: lifeFields.expiresAt });

/** Body of a 303 to `POST /api/v1/deploy`. */
export const storedBody = z.strictObject({ message: z.string().describe('What to do next.') });

export const versionResource = z.strictObject({
  version: z.string().describe('Id of the version: `ETag` without its quotes.'),
  live: z.boolean().describe('Whether this version is the one that visitors see.'),
  ...site,
  bytes,
  deployedAt: z.int().describe('Unix time in milliseconds when the version was deployed.'),
  warning,
  build: buildReport
    .optional()
    .describe(
      'What was built, if the files are the source of a project. `fileCount` and `bytes` are those of the source.',
    ),
  look: look.describe('What a browser saw of the version: it looks once, after the version became live.'),
});

/** Where a deployment is in the operator's review. */
export const review = z.strictObject({
  state: z
    .enum(['held', 'released'])
    .describe(
      '`held`: visitors get a 403 until the owner claims the deployment or deploys other files, or the operator releases it. `released`: the operator has looked at it.',
    ),
  points: z.int().describe('How much the live version looks like pages that deceive their visitors.'),
  reasons: z
    .array(
      z.strictObject({
        kind: z.enum(GATE_KINDS).describe('What the reason is about.'),
        reason: z.string().describe('What was found, as a sentence.'),
        path: z.string().describe('The file.'),
        points: z.int().describe('Its points.'),
      }),
    )
    .readonly()
    .describe('Those with most points first; at most 10.'),
});

/** Body of `GET /api/v1/deployments/{id}`: the deploy response for the live version, and more. */
export const deploymentResource = z.strictObject({
  ...deployResponse.shape,
  siteUrl: z
    .string()
    .nullable()
    .describe(
      'The address that visitors see: the `active` custom domain that was added first, otherwise the site on its own origin, where `url` redirects to. `null` if it has neither.',
    ),
  version: z.string().describe('Id of the live version.'),
  bytes,
  deployedAt: z.int().describe('Unix time in milliseconds when the live version was deployed.'),
  warning,
  look: look.describe('What a browser saw of the live version. It looks after the response of the deploy.'),
  owner: z
    .enum(['key', 'token', 'anonymous'])
    .describe('Kind of credential the deployment belongs to; `anonymous` is its `X-Deployment-Token`.'),
  ...lifeFields,
  ...sharedFields,
  status: z.enum(['live', 'taken_down']).describe('`taken_down` once the operator took the deployment down.'),
  domains: z
    .array(domainResource)
    .readonly()
    .describe('Domains that were added to the deployment, the first one first.'),
  dataWebhook: z
    .string()
    .optional()
    .describe('The URL that is notified of each item that a visitor adds to the data of the site.'),
  review: review.optional().describe('Why the deployment is not public, or was not. Nearly all deployments have none.'),
  versions: z
    .array(versionResource)
    .readonly()
    .describe(`Versions, newest first; at most ${LIMITS.versionsPerDeployment}.`),
});

/** Response of `DELETE /api/v1/deployments/{id}`. */
export const deletedDeployment = z.strictObject({
  id: deployResponse.shape.id,
  status: z.literal('deleted').describe('Always `deleted`.'),
  deletedAt: z.int().describe('Unix time in milliseconds. Its pages return 410 since then.'),
  copiesUntil: z
    .int()
    .describe(
      'Unix time in milliseconds until which edge locations may still serve copies of some of its files; `deletedAt` if they have none.',
    ),
  backupsUntil: z
    .int()
    .optional()
    .describe(
      'Unix time in milliseconds until which backups of the service keep what visitors wrote, which is deleted within a day. Absent if the site has no data.',
    ),
});

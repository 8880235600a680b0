import * as z from 'zod';
import { DOMAIN_STATES } from '../domains.ts';

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

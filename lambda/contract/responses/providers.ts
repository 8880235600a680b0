import * as z from 'zod';
import { PROVIDER_NAMES } from '../generate.ts';

const average = 'Decaying average of the last generations';

/** Body of `GET /api/v1/providers`. */
export const providerList = z.strictObject({
  routing: z
    .enum(['order', 'fastest', 'cheapest'])
    .describe('How `auto` orders the providers: by their names, or by what was measured of late.'),
  items: z
    .array(
      z.strictObject({
        name: z.enum(PROVIDER_NAMES).describe('Name, for `model` of generate.'),
        model: z.string().describe('The provider and its model, as `<provider>/<variant>`.'),
        coolingUntil: z
          .int()
          .optional()
          .describe(
            'Unix time in milliseconds until which `auto` tries it last, because it was overloaded or did not answer; absent if it can be used.',
          ),
        failures: z
          .number()
          .optional()
          .describe(`${average}: share of its attempts that failed, from 0 to 1; absent if it has not been called.`),
        firstTokenMs: z.int().optional().describe(`${average}: milliseconds to its first text.`),
        firstFileMs: z.int().optional().describe(`${average}: milliseconds to its first complete file.`),
        cost: z
          .number()
          .optional()
          .describe(
            `${average}: US dollars per generation; without one, of a usual generation at the price of the model; absent if that is not known.`,
          ),
      }),
    )
    .readonly()
    .describe('The providers, in the order in which `auto` tries them now.'),
});

export type ProviderList = z.output<typeof providerList>;

import * as z from 'zod';
import type { PolicyStatement } from './account.ts';

const OneOrMore = z.union([z.string().transform((value) => [value]), z.array(z.string())]);

const Value = z.union([z.string(), z.boolean(), z.number()]).transform(String);
const Values = z.union([Value.transform((value) => [value]), z.array(Value)]);

const PrincipalField = z.union([
  z.literal('*').transform(() => ['*']),
  z
    .strictObject({ AWS: OneOrMore.default([]), Service: OneOrMore.default([]) })
    .transform(({ AWS, Service }) => [...AWS, ...Service]),
]);

const Statement = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Action: OneOrMore,
  Resource: OneOrMore,
  Principal: PrincipalField.optional(),
  Condition: z.record(z.string(), z.record(z.string(), Values)).optional(),
});

/** Parses a policy document into its statements. Rejects unsupported elements such as `NotAction`. */
export const PolicyDocument = z
  .strictObject({
    Version: z.literal('2012-10-17'),
    Statement: z.union([z.array(Statement), Statement.transform((statement) => [statement])]),
  })
  .transform((document) => document.Statement.map(toStatement));

function toStatement(statement: z.output<typeof Statement>): PolicyStatement {
  const { Effect, Action, Resource, Principal, Condition } = statement;
  return { Effect, Action, Resource, ...(Principal && { Principal }), ...(Condition && { Condition }) };
}

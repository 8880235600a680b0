import * as z from 'zod';
import { noLocalEffect } from '../template/schema.ts';

export const UserPoolProperties = z.strictObject({
  UserPoolName: z.string().optional(),
  // The local pool has no users who sign up or in.
  AccountRecoverySetting: noLocalEffect,
  AdminCreateUserConfig: noLocalEffect,
  EmailVerificationMessage: noLocalEffect,
  EmailVerificationSubject: noLocalEffect,
  SmsVerificationMessage: noLocalEffect,
  VerificationMessageTemplate: noLocalEffect,
  // Deletion and billing have no local effect.
  DeletionProtection: noLocalEffect,
  UserPoolTags: noLocalEffect,
  UserPoolTier: noLocalEffect,
});

export const ResourceServerProperties = z.strictObject({
  UserPoolId: z.string(),
  Identifier: z.string(),
  Name: z.string(),
  Scopes: z.array(z.strictObject({ ScopeName: z.string(), ScopeDescription: z.string() })).default([]),
});

/** Clients with the client credentials grant, since the local pool has no users. */
export const ClientProperties = z.strictObject({
  UserPoolId: z.string(),
  ClientName: z.string().optional(),
  AllowedOAuthFlows: z.tuple([z.literal('client_credentials')]),
  AllowedOAuthFlowsUserPoolClient: z.literal(true),
  AllowedOAuthScopes: z.array(z.string()),
  GenerateSecret: z.literal(true),
  SupportedIdentityProviders: noLocalEffect,
});

export const DomainProperties = z.strictObject({ UserPoolId: z.string(), Domain: z.string() });

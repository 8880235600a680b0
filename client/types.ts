import type * as z from 'zod';
import type { RequestSchemas, ResponseSchemas } from './publish/schemas.ts';

export type { ErrorCode } from '../lambda/contract/errors.ts';

/** JSON of a schema, read-only. A property that is optional in it is absent rather than undefined. */
type Json<Value> = Value extends readonly (infer Item)[]
  ? readonly Json<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Json<Exclude<Value[Name], undefined>> }
    : Value;

/** Like `Json`, but a caller may also pass `undefined` for an optional field. */
type Options<Value> = Value extends readonly (infer Item)[]
  ? readonly Options<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Options<Value[Name]> }
    : Value;

type Response<Name extends keyof ResponseSchemas> = Json<z.input<ResponseSchemas[Name]>>;
type Request<Name extends keyof RequestSchemas> = Options<z.input<RequestSchemas[Name]>>;

export type GeneratedFile = Response<'GeneratedFile'>;
export type GenerateResponse = Response<'GenerateResponse'>;
export type GenerationResource = Response<'GenerationResource'>;
export type DeployResponse = Response<'DeployResponse'>;
export type GeneratedDeployment = Response<'GeneratedDeployment'>;
export type VersionResource = Response<'VersionResource'>;
export type DomainResource = Response<'DomainResource'>;
export type DeploymentResource = Response<'DeploymentResource'>;
export type DeletedDeployment = Response<'DeletedDeployment'>;
export type LookProblem = Response<'LookProblem'>;
export type Look = Response<'Look'>;
export type BuildProblem = Response<'BuildProblem'>;
export type BuildReport = Response<'BuildReport'>;
export type BuildResponse = Response<'BuildResponse'>;
export type CreatedAsset = Response<'CreatedAsset'>;
export type ShownAsset = Response<'ShownAsset'>;
export type ReportResponse = Response<'ReportResponse'>;
export type ProviderList = Response<'ProviderList'>;
export type Usage = Response<'Usage'>;
export type UsageResponse = Response<'UsageResponse'>;
export type ViewsResponse = Response<'ViewsResponse'>;
export type CollectionList = Response<'CollectionList'>;
export type DataItem = Response<'DataItem'>;
export type DeletedItem = Response<'DeletedItem'>;
export type ClearedCollection = Response<'ClearedCollection'>;
export type DataLink = Response<'DataLink'>;
export type BuildRequest = Request<'BuildRequest'>;
export type GenerateRequest = Request<'GenerateRequest'>;
export type ReportRequest = Request<'ReportRequest'>;
export type SettingsRequest = Request<'SettingsRequest'>;
export type UsageQuery = Request<'UsageQuery'>;
export type ViewsQuery = Request<'ViewsQuery'>;

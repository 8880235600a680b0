import { buildRequest } from '../../lambda/contract/builds.ts';
import { generateRequest } from '../../lambda/contract/generate.ts';
import { settingsRequest } from '../../lambda/contract/page-settings.ts';
import { usageQuery, viewsQuery } from '../../lambda/contract/queries.ts';
import { reportRequest } from '../../lambda/contract/reports.ts';
import { buildReport, buildResponse } from '../../lambda/contract/responses/builds.ts';
import {
  clearedCollection,
  collectionList,
  dataItem,
  dataLink,
  deletedItem,
} from '../../lambda/contract/responses/data.ts';
import {
  deletedDeployment,
  deploymentResource,
  deployResponse,
  domainResource,
  generatedDeployment,
  reportResponse,
  versionResource,
} from '../../lambda/contract/responses/deploy.ts';
import { buildProblem } from '../../lambda/contract/responses/errors.ts';
import { generatedFile, generateResponse, generationResource } from '../../lambda/contract/responses/generate.ts';
import { createdAsset, shownAsset } from '../../lambda/contract/responses/lists.ts';
import { look, lookProblem } from '../../lambda/contract/responses/looks.ts';
import { providerList } from '../../lambda/contract/responses/providers.ts';
import { usage, usageResponse, viewsResponse } from '../../lambda/contract/responses/usage.ts';

/** The schemas of the client's types: a property that is optional in a response is absent, in a request also undefined. */
export const RESPONSES = {
  GeneratedFile: generatedFile,
  GenerateResponse: generateResponse,
  GenerationResource: generationResource,
  DeployResponse: deployResponse,
  GeneratedDeployment: generatedDeployment,
  VersionResource: versionResource,
  DomainResource: domainResource,
  DeploymentResource: deploymentResource,
  DeletedDeployment: deletedDeployment,
  LookProblem: lookProblem,
  Look: look,
  BuildProblem: buildProblem,
  BuildReport: buildReport,
  BuildResponse: buildResponse,
  CreatedAsset: createdAsset,
  ShownAsset: shownAsset,
  ReportResponse: reportResponse,
  ProviderList: providerList,
  Usage: usage,
  UsageResponse: usageResponse,
  ViewsResponse: viewsResponse,
  CollectionList: collectionList,
  DataItem: dataItem,
  DeletedItem: deletedItem,
  ClearedCollection: clearedCollection,
  DataLink: dataLink,
};

export const REQUESTS = {
  BuildRequest: buildRequest,
  GenerateRequest: generateRequest,
  ReportRequest: reportRequest,
  SettingsRequest: settingsRequest,
  UsageQuery: usageQuery,
  ViewsQuery: viewsQuery,
};

export type ResponseSchemas = typeof RESPONSES;
export type RequestSchemas = typeof REQUESTS;

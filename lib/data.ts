import { AttributeType, ProjectionType } from 'aws-cdk-lib/aws-dynamodb';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { DATA_INDEXES, ENV } from '../lambda/platform/env.ts';
import type { Access } from './access.ts';
import type { StageConfig } from './config.ts';
import type { Deployments } from './deployments/deployments.ts';
import type { FrontDoor } from './front-door/front-door.ts';
import { BundledFunction } from './platform/bundled-function.ts';
import { DataTable, type Protection } from './platform/storage.ts';
import type { Webhooks } from './webhooks.ts';

type SiteDataConfig = Protection & Pick<StageConfig, 'data'>;

/**
 * What visitors of sites share: a table, and a function of its own, so that a flood of it takes nothing from pages and deploys
 * (docs/decisions/0081-a-site-has-data.md).
 */
export class SiteData extends Construct {
  /** Undefined if the stage has turned the data of sites off. */
  readonly api: BundledFunction | undefined;
  readonly table: DataTable;

  constructor(
    scope: Construct,
    id: string,
    access: Access,
    deployments: Deployments,
    webhooks: Webhooks,
    config: SiteDataConfig,
  ) {
    super(scope, id);
    // Also if data is turned off: a table that leaves the stack could not come back.
    this.table = new DataTable(this, 'Table', config, {
      partitionKey: { name: 'site', type: AttributeType.STRING },
      sortKey: { name: 'key', type: AttributeType.STRING },
      // Only tombstones and claims of requests have this attribute.
      timeToLiveAttribute: 'expiresAt',
      ends: true,
      // They can only be created with the table. With all attributes, a page of a list is one read.
      localSecondaryIndexes: Object.values(DATA_INDEXES).map(({ name, sortKey }) => ({
        indexName: name,
        sortKey: { name: sortKey, type: AttributeType.STRING },
        projectionType: ProjectionType.ALL,
      })),
    });
    this.#grantSweep(deployments.sweep);
    if (config.data === false) {
      // Deployments that are deleted now may have data from before.
      for (const fn of [deployments.api, deployments.generated]) {
        fn.addEnvironment(ENV.dataOff, 'true');
        this.#grant(fn, 'dynamodb:PutItem');
      }
      return;
    }
    this.api = this.#api(config.data);
    access.grantVisitors(this.api);
    deployments.grantReadPointers(this.api);
    webhooks.grantStart(this.api);
    this.#grantChange(deployments.api);
    // Rules, and the end of a site.
    this.#grant(deployments.generated, 'dynamodb:PutItem');
  }

  #api(data: Exclude<StageConfig['data'], false>): BundledFunction {
    const fn = new BundledFunction(this, 'Api', {
      entry: 'data/api.handler',
      description: 'Serves the data that visitors of sites share',
      timeout: Duration.seconds(15),
    });
    fn.addEnvironment(ENV.data, JSON.stringify(data));
    this.#grantChange(fn);
    for (const { name } of Object.values(DATA_INDEXES)) this.table.grantIndex(fn, name);
    return fn;
  }

  /** Lets a function list all items of sites and change them, and store rules. */
  #grantChange(fn: BundledFunction): void {
    this.#grant(fn, 'dynamodb:GetItem', 'dynamodb:Query');
    this.#grant(fn, 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem');
  }

  /** Lets a function delete what has ended: items as a visitor does, and sites. */
  #grantSweep(fn: BundledFunction): void {
    this.#grantChange(fn);
    this.#grant(fn, 'dynamodb:BatchWriteItem');
    this.table.grantEnded(fn);
  }

  /** Tells the function where sites have origins of their own. */
  publishThrough({ siteOrigin }: Pick<FrontDoor, 'siteOrigin'>): void {
    if (siteOrigin !== undefined) this.api?.addEnvironment(ENV.siteOrigin, siteOrigin);
  }

  #grant(fn: BundledFunction, ...actions: string[]): void {
    fn.addEnvironment(ENV.dataTable, this.table.tableName);
    this.table.grant(fn, ...actions);
  }
}

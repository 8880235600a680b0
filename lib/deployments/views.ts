import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { ENV } from '../../lambda/platform/env.ts';
import type { StageConfig } from '../config.ts';
import type { BundledFunction } from '../platform/bundled-function.ts';
import { ListedTable, type Maxima } from '../platform/storage.ts';

export type ViewsConfig = Maxima & Pick<StageConfig, 'analytics' | 'deployments'>;

/**
 * The views of pages by day, and the salts of visitors. Without point-in-time recovery: a salt that is deleted must be gone, and no
 * backup may have it.
 */
export class Views extends Construct {
  readonly #table: ListedTable | undefined;
  /** Why nothing is counted; undefined if views are. */
  readonly #uncounted: string | undefined;

  constructor(scope: Construct, id: string, config: ViewsConfig) {
    super(scope, id);
    this.#uncounted = whyUncounted(config);
    if (!config.analytics) return;
    this.#table = new ListedTable(this, 'Table', config, {
      partitionKey: { name: 'page', type: AttributeType.STRING },
      sortKey: { name: 'day', type: AttributeType.STRING },
      timeToLiveAttribute: 'expiresAt',
      // An operator who turns counting off wants no counts kept.
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }

  /** Lets the function that serves pages count views. */
  grantCount(fn: BundledFunction): void {
    if (this.#uncounted === undefined) this.#grant(fn, 'dynamodb:GetItem', 'dynamodb:UpdateItem');
  }

  /** Lets a function read the views of a page, and tells it why there are none. */
  grantRead(fn: BundledFunction): void {
    if (this.#uncounted !== undefined) fn.addEnvironment(ENV.viewsUncounted, this.#uncounted);
    this.#grant(fn, 'dynamodb:Query');
  }

  /** Lets a function delete the salts of past days. */
  grantDeleteSalts(fn: BundledFunction): void {
    this.#grant(fn, 'dynamodb:Query', 'dynamodb:DeleteItem');
  }

  #grant(fn: BundledFunction, ...actions: string[]): void {
    if (!this.#table) return;
    fn.addEnvironment(ENV.viewsTable, this.#table.tableName);
    this.#table.grant(fn, ...actions);
  }
}

/** Returns whether a stage counts views of pages. */
export const countsViews = (config: ViewsConfig): boolean => whyUncounted(config) === undefined;

function whyUncounted({ analytics, deployments: { edgeSeconds } }: ViewsConfig): string | undefined {
  if (!analytics) return 'The operator of this service turned counting off (analytics)';
  if (edgeSeconds === 0) return undefined;
  const seconds = edgeSeconds === 1 ? 'a second' : `${edgeSeconds} seconds`;
  return `The edge serves a page for ${seconds} without asking the service, which cannot count its views (deployments.edgeSeconds)`;
}

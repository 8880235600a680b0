/**
 * The operations of the API: what routes them, documents them and counts them. `{name}` is one segment of
 * the path. A path that ends in `/` is also served without it, as the asset contract is used both ways.
 */
export const OPERATIONS = {
  generate: { method: 'POST', path: '/api/v1/generate' },
  getGeneration: { method: 'GET', path: '/api/v1/generations/{id}' },
  getGenerationResult: { method: 'GET', path: '/api/v1/generations/{id}/result' },
  deploy: { method: 'POST', path: '/api/v1/deploy' },
  createAsset: { method: 'POST', path: '/api/v1/assets/user-assets/' },
  updateAsset: { method: 'PATCH', path: '/api/v1/assets/user-assets/{asset_id}/' },
} as const satisfies Record<string, Operation>;

export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
}

export type OperationName = keyof typeof OPERATIONS;

/** Descriptions of path parameters, by the path before them. */
export const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  '/api/v1/generations/': 'Id of the generation, from `X-Generation-Id`.',
  '/api/v1/deploy/staged/': 'Id of the stored body, from the `Location` of the 303.',
  '/api/v1/deployments/': 'Id of the deployment.',
  '/api/v1/deployments/{id}/domains/': 'The domain name, such as `www.example.com`.',
  '/api/v1/deployments/{id}/data/': 'Name of the collection.',
  '/api/v1/deployments/{id}/data/{collection}/': 'Id of the item.',
  '/api/v1/assets/user-assets/': 'Id of the asset.',
};

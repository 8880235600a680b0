import { CLOUD_CONFIG } from '../support/cloud/cloud.ts';

// `npm run test:all` also starts the cloud of the scenarios.
process.env[CLOUD_CONFIG] = 'test/contract/config.json';

import { CLOUD_CONFIG } from '../support/cloud/cloud.ts';

// Of the clouds of a run, which may have those of other projects.
process.env[CLOUD_CONFIG] = 'test/contract/config.json';

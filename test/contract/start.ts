import { startCloud } from '../support/cloud/start-cloud.ts';

/** Starts the cloud that all tests of the contract share. */
export default startCloud('test/contract/config.json');

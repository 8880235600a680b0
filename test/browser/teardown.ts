import { closeShared } from '../support/shared.ts';

/** Closes the browser and the clouds if all test files ran in the process of Jest itself. */
export default closeShared;

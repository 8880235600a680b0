/** The location of a cloud that test files share; set by `start-cloud.ts` before the tests are loaded. */
export interface CloudUnderTest {
  readonly baseUrl: string;
  readonly backendPort: number;
  readonly stateDir: string;
  /** Path of the file with the output of the service. */
  readonly log: string;
  readonly pid: number;
}

/** The variable with the clouds of a run, by configuration file; and the one with the file whose cloud a project uses. */
export const CLOUDS = 'CLOUDS_UNDER_TEST';
export const CLOUD_CONFIG = 'CLOUD_UNDER_TEST_CONFIG';

/** The file whose cloud a project uses by default. */
export const DEFAULT_CONFIG = 'test/support/cloud/config.json';

/** Returns all clouds of the run, by configuration file. */
export const clouds = (): Record<string, CloudUnderTest> => JSON.parse(process.env[CLOUDS] ?? '{}');

/** Returns the cloud of the project that a test file belongs to; without fields if its project has none. */
export function cloud(): CloudUnderTest {
  return clouds()[process.env[CLOUD_CONFIG] ?? DEFAULT_CONFIG] ?? ({} as CloudUnderTest);
}

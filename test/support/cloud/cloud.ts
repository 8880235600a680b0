/** The location of the suite's cloud; set by `start-cloud.ts` before the tests are loaded. */
export interface CloudUnderTest {
  readonly baseUrl: string;
  readonly backendPort: number;
  readonly stateDir: string;
  /** Path of the file with the output of the service. */
  readonly log: string;
  readonly pid: number;
}

export const CLOUD = 'CLOUD_UNDER_TEST';

export const cloud = (): CloudUnderTest => JSON.parse(process.env[CLOUD] ?? '{}') as CloudUnderTest;

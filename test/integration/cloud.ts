/** Where the suite's cloud is; set by `start-cloud.ts` before the tests are loaded. */
export interface CloudUnderTest {
  readonly baseUrl: string;
  readonly backendPort: number;
  readonly stateDir: string;
  /** File with everything that the service has printed. */
  readonly log: string;
  readonly pid: number;
}

export const CLOUD = 'CLOUD_UNDER_TEST';

export const cloud = (): CloudUnderTest => JSON.parse(process.env[CLOUD] ?? '{}') as CloudUnderTest;

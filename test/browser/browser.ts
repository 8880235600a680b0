import { launch } from '../../evaluate/chromium.ts';
import { shared } from '../support/shared.ts';

/** One browser for all test files of a worker. `setup.ts` closes its pages after each of them. */
export const browser = await shared(launch, (launched) => launched.close())();

import { launch } from '../../evaluate/visit.ts';
import { shared } from '../support/shared.ts';

/** What does not come, not what a busy machine takes. Less than the time of a test, to say what did not come. */
const PATIENCE_MS = 200_000;

/** One browser for all test files of a worker. `setup.ts` closes its pages after each of them. */
export const browser = await shared(
  async () => {
    const launched = await launch();
    const newContext = launched.newContext.bind(launched);
    launched.newContext = async (options) => {
      const context = await newContext(options);
      context.setDefaultTimeout(PATIENCE_MS);
      return context;
    };
    return launched;
  },
  (launched) => launched.close(),
)();

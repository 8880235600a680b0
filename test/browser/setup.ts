import { browser } from './browser.ts';

afterAll(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});

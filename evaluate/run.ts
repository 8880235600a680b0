import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { deploy, generate, type Service, type TimedGeneration, UnbuiltError } from './generation.ts';
import type { Prompt } from './prompts/prompt.ts';
import { failureOf, type Score, scoreOf } from './score.ts';
import { type Findings, visit } from './visit.ts';

/**
 * Generates and deploys the project of a prompt, visits and scores it, and deletes the deployment.
 * @param folder receives the project and its screenshots
 */
export async function evaluate(
  prompt: Prompt,
  service: Service,
  browser: Browser,
  folder: string,
): Promise<Score> {
  const begin = performance.now();
  let generated: TimedGeneration | undefined;
  try {
    generated = await generate(service, prompt.text);
    refuseOthers(service.model, generated);
    const deployed = await deploy(service, generated);
    const files = new Map(generated.files.map(({ path, content }) => [path, content]));
    const { matched } = generated.generation;
    const project = { files, ...(matched === undefined ? {} : { matched }) };
    const found = await visit(browser, deployed.url, prompt.steps, project);
    await deployed.delete();
    keep(folder, generated, found);
    return scoreOf(prompt, generated, found, begin);
  } catch (error) {
    const { message } = error as Error;
    return failureOf(prompt, message, generated, error instanceof UnbuiltError);
  }
}

function keep(folder: string, { files }: TimedGeneration, { screenshots }: Findings): void {
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  for (const { path, content } of files) write(join('project', path), content);
  for (const [width, image] of Object.entries(screenshots)) write(`${width}.png`, image);
}

/** @throws Error if the provider that was asked for failed, so that another one answered */
function refuseOthers(asked: string, { model, generation }: TimedGeneration): void {
  if (asked === 'auto' || model.startsWith(`${asked}/`)) return;
  const reason = generation.attempts.find(({ provider }) => provider === asked)?.reason;
  throw new Error(`${asked} did not answer: ${reason ?? 'it was not called'}`);
}

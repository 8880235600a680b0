import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { ApiError, Client } from '../client/client.ts';
import type { Prompt } from './prompts/visitor.ts';
import { failureOf, type Score, scoreOf, type TimedGeneration } from './score.ts';
import { type Findings, visit } from './visit.ts';

/** The service that generates and deploys. */
interface Service {
  readonly baseUrl: string;
  readonly key?: string | undefined;
  /** `model` of the request: a provider, or `auto`. */
  readonly model: string;
}

/**
 * Generates and deploys the project of a prompt, visits and scores it, and deletes the deployment.
 * @param folder receives the project and its screenshots
 */
export async function evaluate(
  prompt: Prompt,
  { model, ...service }: Service,
  browser: Browser,
  folder: string,
): Promise<Score> {
  const client = new Client(service);
  const begin = performance.now();
  let generated: TimedGeneration | undefined;
  try {
    generated = await generate(client, prompt.text, model);
    refuseOthers(model, generated);
    const { id, url, entry, token } = await client.deploy({ generationId: generated.id });
    const files = new Map(generated.files.map(({ path, content }) => [path, content]));
    const { matched } = generated;
    const project = { files, ...(matched === undefined ? {} : { matched }) };
    const found = await visit(browser, entry === '' ? undefined : url, prompt.steps, project);
    await client.deployments.delete(id, { token });
    keep(folder, generated, found);
    return scoreOf(prompt, generated, found, begin);
  } catch (error) {
    const isUnbuilt = error instanceof ApiError && error.problems.length > 0;
    return failureOf(prompt, (error as Error).message, generated, isUnbuilt);
  }
}

/** Generates a project. @throws ApiError with the service's message if there is no result */
async function generate(client: Client, prompt: string, model: string): Promise<TimedGeneration> {
  const begin = performance.now();
  const generation = client.generate({ prompt, model: model as 'auto' });
  const fileMs: number[] = [];
  for await (const { type } of generation) if (type === 'file') fileMs.push(Math.round(performance.now() - begin));
  const project = await generation;
  const [firstFileMs = 0] = fileMs;
  const resource = await client.generations.get(project.id);
  return { ...project, generation: resource, firstFileMs, lastFileMs: fileMs.at(-1) ?? 0 };
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

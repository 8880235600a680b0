import type { Change } from '../../../bin/deploy/changes.ts';
import { type DeployOptions, type DeploySteps, deploy } from '../../../bin/deploy/deploy.ts';

const REMOVED: Change = { action: 'Remove', id: 'T', type: 'AWS::DynamoDB::GlobalTable', causes: [] };
const REPLACED: Change = {
  action: 'Modify',
  id: 'P',
  type: 'AWS::Lambda::Permission',
  replacement: 'True',
  causes: [],
};

/** Deploys without a terminal, and returns the steps taken. */
async function deployed(
  changes: readonly Change[] | undefined,
  options: Partial<DeployOptions> = {},
  failing: Partial<DeploySteps> = {},
) {
  const taken: string[] = [];
  const lines: string[] = [];
  const step = (name: string) => async () => void taken.push(name);
  const steps: DeploySteps = {
    announce: step('announce'),
    prepare: step('prepare'),
    changes: async () => changes,
    discard: step('discard'),
    testEdge: async () => {
      taken.push('testEdge');
      return 'tested';
    },
    execute: step('execute'),
    baseUrl: async () => 'https://d111111abcdef8.cloudfront.net',
    smoke: async (argv) => void taken.push(`smoke ${argv.join(' ')}`),
    ...failing,
  };
  const stdout = { write: (text: string) => lines.push(text) };
  const all = { yes: false, lose: [], smoke: true, ...options };
  const problem = await deploy(steps, all, { stdout, stderr: stdout, env: {} }).then(
    () => undefined,
    (error: Error) => error.message,
  );
  return { taken, problem, printed: lines.join('') };
}

const SMOKE = 'smoke --url https://d111111abcdef8.cloudfront.net';

it('shows the changes, tests the edge functions, deploys and runs the smoke test', async () => {
  const { taken, problem, printed } = await deployed([{ ...REPLACED, replacement: 'False' }], { key: 'k' });
  expect(problem).toBeUndefined();
  expect(taken).toEqual(['announce', 'prepare', 'testEdge', 'execute', `${SMOKE} --key k`]);
  expect(printed).toContain('~ 1 AWS::Lambda::Permission');
});

it('runs the smoke test even if nothing changes', async () => {
  expect((await deployed(undefined)).taken).toEqual(['announce', 'prepare', SMOKE]);
  expect((await deployed(undefined, { smoke: false })).taken).toEqual(['announce', 'prepare']);
});

it('stops before a resource is replaced, unless --yes is given', async () => {
  const { taken, problem } = await deployed([REPLACED]);
  expect(problem).toBe('This needs a confirmation, but there is no terminal: add --yes');
  expect(taken).toEqual(['announce', 'prepare', 'discard']);
  expect((await deployed([REPLACED], { yes: true })).taken).toContain('execute');
});

it('stops before data is lost, even with --yes, unless --lose names the resource', async () => {
  const { taken, problem } = await deployed([REMOVED, REPLACED], { yes: true });
  expect(problem).toBe(
    'T: the service loses its items. Type its name to continue, but there is no terminal: add --lose T',
  );
  expect(taken).toEqual(['announce', 'prepare', 'discard']);
  const { taken: lost } = await deployed([REMOVED, REPLACED], { yes: true, lose: ['T'] });
  expect(lost).toContain('execute');
});

it('publishes nothing if a CloudFront function returns an unexpected result', async () => {
  const testEdge = () => Promise.reject(new Error('ViewerRequest does not pass'));
  const { taken, problem } = await deployed([], {}, { testEdge });
  expect(problem).toBe('ViewerRequest does not pass');
  expect(taken).toEqual(['announce', 'prepare', 'discard']);
});

it('fails if the smoke test fails', async () => {
  const smoke = () => Promise.reject(new Error('cli/smoke.ts failed'));
  const { taken, problem } = await deployed([], {}, { smoke });
  expect(taken.at(-1)).toBe('execute');
  expect(problem).toMatch(/^The smoke test failed, .*#rolling-out-and-back/);
});

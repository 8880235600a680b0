import { OPERATIONS, type Operation, type OperationName } from '../../lambda/contract/operations.ts';
import { performScenario } from '../../web/reference/examples/perform.ts';
import { Recorder } from '../../web/reference/examples/recorder.ts';
import type { Recordings } from '../../web/reference/examples/recording.ts';
import { PROJECT } from '../../web/reference/openapi/examples.ts';
import { documentText } from '../../web/reference/openapi/files.ts';
import { storePicture, storePictureOfVersion } from '../support/buckets.ts';
import { newCaller } from '../support/cloud/client.ts';
import { cloud } from '../support/cloud/cloud.ts';
import { keys } from '../support/cloud/keys.ts';
import { noteIssued } from '../support/cloud/tokens.ts';

const document = JSON.parse(documentText('openapi.json'));

/** Sends each request from an address of its own: together they exceed the rate limit. */
const send: typeof fetch = async (url, { method = 'GET', headers = {}, body, redirect } = {}) => {
  const sent = { method, headers: headers as Record<string, string>, ...(body ? { body } : {}) };
  const answer = await newCaller().send(String(url), sent);
  const { location } = answer.headers;
  if (answer.status === 303 && redirect === 'follow' && location) return send(location, { headers });
  const fields = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
  return new Response(answer.text || null, { status: answer.status, headers: Object.fromEntries(fields) });
};

async function stage(body: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const answer = await newCaller().send('/api/v1/deploy/staged', { method: 'POST', body, headers });
  return new URL(String(answer.headers.location)).pathname;
}

const picture = (id: string, attempt: number, png: Uint8Array) => storePicture(id, attempt, png, cloud());

const pictureOfVersion = (id: string, version: string, png: Uint8Array) =>
  storePictureOfVersion(id, version, png, cloud());

const noted = async (...args: string[]) => {
  const output = await keys(...args);
  return args[0] === 'create' ? noteIssued(output.trim()) : output;
};

/** Returns the path and body of the request that the examples of an operation make up. */
function documentedRequest({ path, method }: Operation) {
  const { parameters = [], requestBody } = document.paths[path][method.toLowerCase()];
  const query: string[] = [];
  let filled = path;
  for (const { name, in: place, example } of parameters) {
    if (place === 'path') filled = filled.replace(`{${name}}`, example);
    if (place === 'query' && example !== undefined) query.push(`${name}=${example}`);
  }
  const body = requestBody?.content['application/json'].example;
  return { path: query.length > 0 ? `${filled}?${query.join('&')}` : filled, body };
}

describe('the requests of the documented examples', () => {
  let performed: Recordings;
  // The responses are checked against the document, as those to all requests of this suite.
  beforeAll(async () => {
    const recorder = new Recorder(cloud().baseUrl, send);
    await performScenario(recorder, {
      slowProvider: 'provider-b',
      keys: noted,
      stage,
      picture,
      pictureOfVersion,
    });
    performed = recorder.recordings();
  });

  it.each(Object.keys(OPERATIONS) as OperationName[])('%s has the documented response', (name) => {
    const { request, response } = performed[name];
    const body = request.body && JSON.parse(JSON.stringify(request.body).replace('$PROJECT', PROJECT));
    expect({ path: request.path, body }).toEqual(documentedRequest(OPERATIONS[name]));
    const { responses } = document.paths[OPERATIONS[name].path][OPERATIONS[name].method.toLowerCase()];
    const example = responses[response.status].content?.['application/json']?.example;
    expect(Object.keys(response.body ?? {}).toSorted()).toEqual(Object.keys(example ?? {}).toSorted());
  });
});

import { Client } from '../../client/client.ts';
import type { ReportResponse } from '../../lambda/contract/reports.ts';
import { FORM_TEXTS } from '../../lambda/reports/form-texts.ts';
import { newCaller } from '../support/cloud/client.ts';
import { cloud } from '../support/cloud/cloud.ts';
import { newKey } from '../support/cloud/keys.ts';
import { withinOneDay } from '../support/one-day.ts';
import { check, expectHeader, expectStatus } from '../support/stage/checks.ts';
import { onStage } from '../support/stage/on-stage.ts';

onStage({
  name: 'report',
  title: 'Strangers can report a page, with a program and with the form',
  means:
    'The function may not read deployments or count reports of them, or the form does not reach it: visitors cannot report a page that ' +
    'does harm.',
  lookAt: 'The log group *-ReportsApiLogs*; CloudFront > Distributions > Behaviors > /report',
  run: async (session) => {
    const { id } = await session.site();
    const json = { deploymentId: id, reason: 'other', details: 'npm run smoke' };
    const reported = await session.api('POST', '/api/v1/reports', { json, credential: '' });
    expectStatus(reported, 202);
    const { deploymentId } = reported.json<ReportResponse>();
    check(deploymentId === id, `${reported.request} reported ${deploymentId} instead of ${id}`);

    const page = await session.http.send(new URL(`/report?page=${id}`, session.options.baseUrl));
    expectStatus(page, 200);
    expectHeader(page, 'Content-Type', /^text\/html/);
    expectHeader(page, 'X-Frame-Options', 'DENY');
    check(
      page.text.includes(`/d/${id}"`),
      `${page.request} does not fill in the address of the page: the query is lost on the way`,
    );
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = await session.api('POST', '/report', {
      body: new URLSearchParams({ url: id, reason: 'other' }).toString(),
      headers,
      credential: '',
    });
    expectStatus(sent, 202);
    expectHeader(sent, 'Content-Type', /^text\/html/);
    return 'npm run review lists it until the deployment is deleted';
  },
});

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

async function deployed() {
  const caller = newCaller();
  const { json, headers } = await caller.post('/api/v1/deploy', {
    files: [{ path: 'index.html', content: '<title>A page</title>' }],
  });
  const token = { 'x-deployment-token': String(headers['x-deployment-token']) };
  return {
    id: json.id as string,
    url: json.url as string,
    delete: () => caller.send(`/api/v1/deployments/${json.id}`, { method: 'DELETE', headers: token }),
  };
}

// An address reports a page once a day.
beforeEach(withinOneDay);

const report = (body: object, headers: Record<string, string> = {}, caller = newCaller()) =>
  caller.post('/api/v1/reports', body, headers);

describe('POST /api/v1/reports', () => {
  it('accepts the address or the id of a page, without a key', async () => {
    const { id, url } = await deployed();
    const byUrl = await report({ url: `${url}/a?b#c`, reason: 'phishing', details: 'It asks for a PIN' });
    expect(byUrl).toMatchObject({ status: 202, json: { id: expect.any(String), deploymentId: id } });
    const byId = await report({ deploymentId: id, reason: 'other', contact: 'me@example.com' });
    expect(byId).toMatchObject({ status: 202, json: { deploymentId: id } });
    expect(byId.json.id).not.toBe(byUrl.json.id);
    expect((await report({ url: `https://${id}.sites.example/`, reason: 'spam' })).status).toBe(202);
  });

  it('is a call of the client', async () => {
    const { id } = await deployed();
    const client = new Client({ baseUrl: cloud().baseUrl, key: await newKey() });
    const { id: first, deploymentId } = await client.report({ deploymentId: id, reason: 'copyright' });
    expect(deploymentId).toBe(id);
    expect((await client.report({ deploymentId: id, reason: 'copyright' })).id).toBe(first);
    await expect(client.report({ deploymentId: 'abcdefghijkl', reason: 'spam' })).rejects.toMatchObject({
      status: 404,
    });
  });

  it('counts reports of a page by an address in a day as one', async () => {
    const [one, another] = [await deployed(), await deployed()];
    const caller = newCaller();
    const first = await report({ deploymentId: one.id, reason: 'phishing' }, {}, caller);
    const again = await report({ url: one.url, reason: 'spam', details: 'Again' }, {}, caller);
    expect([again.status, again.json]).toEqual([202, first.json]);
    const other = await report({ deploymentId: another.id, reason: 'phishing' }, {}, caller);
    expect(other.json.id).not.toBe(first.json.id);
  });

  it('counts against the rate limit, and says what is wrong with a request', async () => {
    const caller = newCaller();
    const rows: [object, number, RegExp][] = [
      [{ reason: 'spam' }, 400, /^url is required: /],
      [{ url: 'https://example.com/', reason: 'spam' }, 400, /^There is no deployed page at this address/],
      [{ url: 'a', deploymentId: 'b', reason: 'spam' }, 400, /exclude each other/],
      [{ deploymentId: 'abcdefghijkl', reason: 'boring' }, 400, /^reason must be one of phishing, /],
      [{ deploymentId: 'abcdefghijkl' }, 400, /^reason is required: one of phishing, /],
      [{ deploymentId: 'abcdefghijkl', reason: 'spam', details: 'x'.repeat(1_001) }, 400, /^details has 1,001/],
      [{ deploymentId: 'abcdefghijkl', reason: 'spam' }, 404, /^Nothing is published under this address or id$/],
    ];
    for (const [i, [body, status, error]] of rows.entries()) {
      expect(await report(body, {}, caller)).toMatchObject({
        status,
        json: { error: expect.stringMatching(error) },
        headers: { 'x-ratelimit-remaining': String(9 - i) },
      });
    }
  });

  it('says that a page is deleted', async () => {
    const site = await deployed();
    await site.delete();
    expect((await report({ deploymentId: site.id, reason: 'spam' })).status).toBe(410);
  });

  it('refuses what a page of another site has its visitors’ browsers send, unless there is a key', async () => {
    const { id } = await deployed();
    const body = { deploymentId: id, reason: 'phishing' };
    for (const site of ['cross-site', 'same-site'])
      expect((await report(body, { 'sec-fetch-site': site })).status).toBe(403);
    for (const site of ['same-origin', 'none'])
      expect((await report(body, { 'sec-fetch-site': site })).status).toBe(202);
    const authorization = `Bearer ${await newKey()}`;
    expect((await report(body, { 'sec-fetch-site': 'cross-site', authorization })).status).toBe(202);
  });
});

describe('the form at /report', () => {
  it('has the address of the page that a link names, in the language of the browser', async () => {
    const { id, url } = await deployed();
    for (const [language, texts] of Object.entries(FORM_TEXTS)) {
      const page = await newCaller().send(`/report?page=${id}`, { headers: { 'accept-language': language } });
      expect(page).toMatchObject({
        status: 200,
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-store',
          'x-frame-options': 'DENY',
          'cross-origin-opener-policy': 'same-origin',
        },
      });
      expect(page.text).toContain(`<html lang="${language}">`);
      expect(page.text).toContain(`<h1>${texts.title}</h1>`);
      expect(page.text).toContain(`value="${url}"`);
    }
  });

  it('reports a page without a script, and thanks', async () => {
    const { url } = await deployed();
    const caller = newCaller();
    const fields = { url, reason: 'phishing', details: 'It asks\r\nfor a PIN', contact: '' };
    const sent = await caller.post('/report', form(fields), FORM);
    expect([sent.status, sent.headers['content-type']]).toEqual([202, 'text/html; charset=utf-8']);
    const again = await report({ url, reason: 'phishing' }, {}, caller);
    expect(sent.text).toContain(`<code>${again.json.id}</code>`);
  });

  it('shows what was entered, and why it was not accepted', async () => {
    const gone = await deployed();
    await gone.delete();
    const entered = { url: '"><b>', reason: 'spam', details: '</textarea><script>', contact: 'a@b.example' };
    const { url } = await deployed();
    const rows: [Record<string, string>, number, keyof typeof FORM_TEXTS.en.refusals][] = [
      [entered, 400, 'invalid'],
      [{ ...entered, url, reason: '' }, 400, 'invalid'],
      [{ ...entered, url: 'https://abcdefghijkl.sites.example' }, 404, 'unknown'],
      [{ ...entered, url: gone.url }, 410, 'gone'],
    ];
    for (const [fields, status, refusal] of rows) {
      const page = await newCaller().post('/report', form(fields), FORM);
      expect(page.status).toBe(status);
      expect(page.text).toContain(`<p role="alert">${FORM_TEXTS.en.refusals[refusal]}</p>`);
      expect(page.text).toContain('<title>Error: ');
      expect(page.text).toContain('value="a@b.example"');
      expect(page.text).not.toMatch(/<script|<b>/);
    }
  });

  it('says so when a network sends too much, or a page of another site sends it', async () => {
    const { url } = await deployed();
    const fields = form({ url, reason: 'spam', details: 'kept' });
    const foreign = await newCaller().post('/report', fields, { ...FORM, 'sec-fetch-site': 'cross-site' });
    expect([foreign.status, foreign.text]).toEqual([403, expect.stringContaining(FORM_TEXTS.en.refusals.foreign)]);
    const caller = newCaller();
    const pages = await Promise.all(Array.from({ length: 11 }, () => caller.post('/report', fields, FORM)));
    const [page] = pages.filter(({ status }) => status === 429);
    expect(page?.headers['retry-after']).toMatch(/^\d+$/);
    expect(page?.text).toContain(FORM_TEXTS.en.refusals.tooMany);
    expect(page?.text).toContain('kept</textarea>');
  });

  it('accepts neither other types nor more than its fields may be', async () => {
    expect((await newCaller().post('/report', '{}', { 'content-type': 'application/json' })).status).toBe(415);
    const fields = form({ url: 'x', reason: 'spam', details: 'x'.repeat(70_000) });
    expect((await newCaller().post('/report', fields, FORM)).status).toBe(413);
  });
});

import type { ReportResponse } from '../../lambda/contract/reports.ts';
import { check, expectHeader, expectStatus } from './checks.ts';
import type { Step } from './step.ts';

const FORM = '/report';

const report: Step = {
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

    const page = await session.http.send(new URL(`${FORM}?page=${id}`, session.options.baseUrl));
    expectStatus(page, 200);
    expectHeader(page, 'Content-Type', /^text\/html/);
    expectHeader(page, 'X-Frame-Options', 'DENY');
    check(
      page.text.includes(`/d/${id}"`),
      `${page.request} does not fill in the address of the page: the query is lost on the way`,
    );
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = await session.api('POST', FORM, {
      body: new URLSearchParams({ url: id, reason: 'other' }).toString(),
      headers,
      credential: '',
    });
    expectStatus(sent, 202);
    expectHeader(sent, 'Content-Type', /^text\/html/);
    return 'npm run review lists it until the deployment is deleted';
  },
};

export const REPORT_STEPS = [report];

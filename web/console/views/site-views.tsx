import { useEffect, useState } from 'preact/hooks';
import type { ViewsResponse } from '../../../client/client.ts';
import { ViewsChart } from '../parts/views-chart.tsx';
import { failureOf } from '../state/failure.ts';
import type { Failure, PublishedSite } from '../state/types.ts';
import { useConsole } from './console.ts';
import { FailureText } from './notices.tsx';

/** Who opened the pages of a deployment. The numbers are last in the panel: nothing moves when they are there. */
export function SiteViews({ site: { id, token } }: { site: PublishedSite }) {
  const { client } = useConsole().context;
  const [report, setReport] = useState<ViewsResponse>();
  const [failure, setFailure] = useState<Failure>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    setFailure(undefined);
    client.deployments
      .views(id, { token, signal })
      .then(setReport)
      .catch((error) => !signal.aborted && setFailure(failureOf(error)));
    return () => controller.abort();
  }, [client, id, token, round]);
  return (
    <section aria-label="Views">
      <h3>Views</h3>
      <button type="button" onClick={() => setRound(round + 1)}>
        Count again
      </button>
      {failure && (
        <div class="notice failed inline" role="alert">
          <FailureText failure={failure} />
        </div>
      )}
      {report ? <Report report={report} /> : !failure && <p class="note">Counting…</p>}
    </section>
  );
}

function Report({ report }: { report: ViewsResponse }) {
  const { counted, reason, totals } = report;
  const isEmpty = totals.views + totals.bots === 0;
  return (
    <>
      {!counted && <p class="note">Views are not counted. {reason}.</p>}
      {counted && isEmpty && <p class="note">Nobody has opened the page yet.</p>}
      {!isEmpty && <ViewsChart report={report} />}
    </>
  );
}

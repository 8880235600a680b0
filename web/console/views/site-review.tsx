import type { PublishedSite } from '../state/types.ts';
import { ProblemList } from './problems.tsx';

/** Why visitors do not see the page, by file, and what can be done about it. */
export function SiteReview({ site: { review, token } }: { site: PublishedSite }) {
  if (review?.state !== 'held') return null;
  return (
    <section class="notice failed inline" aria-label="Review">
      <div>
        <p>
          <b>Visitors do not see the page</b>
          <br />
          It resembles pages that deceive their visitors:
        </p>
        <ProblemList problems={review.reasons.map(({ path, reason }) => ({ path, message: reason }))} />
        <p>
          Change what the reasons name and deploy again
          {token !== undefined && ', keep the page with an API key, which is trusted more'}, or ask the
          operator to review the page.
        </p>
      </div>
    </section>
  );
}

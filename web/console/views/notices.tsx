import { adviceOn } from '../state/failure.ts';
import type { Failure, Wait } from '../state/types.ts';
import { useConsole, useNow } from './console.ts';

/** What went wrong, and what the page waits for: above the content, so that nothing moves. */
export function Notices() {
  const { state, dispatch } = useConsole();
  return (
    <div class="notices">
      {state.wait && <WaitNotice wait={state.wait} />}
      <div role="alert">
        {state.failure && (
          <div class="notice failed">
            <FailureText failure={state.failure} />
            <button type="button" onClick={() => dispatch({ type: 'dismissed' })}>
              Dismiss
            </button>
          </div>
        )}
      </div>
    </div>
  );
}

const REASONS: Readonly<Record<Wait['reason'], string>> = {
  rate_limited: 'Too many requests: the limit is per minute. A key has a higher one.',
  network: 'The connection was lost.',
  unavailable: 'The service did not respond.',
};

function WaitNotice({ wait: { reason, until } }: { wait: Wait }) {
  const seconds = Math.ceil((until - useNow(true, 250)) / 1000);
  // The request was given up, or takes its time.
  if (seconds < -5) return null;
  return (
    <div class="notice waiting">
      <p role="status">{REASONS[reason]}</p>
      <p>
        {seconds > 0 ? (
          <>
            Continues by itself in <b>{seconds} s</b>
          </>
        ) : (
          'Continues now…'
        )}
      </p>
    </div>
  );
}

/** A failure, and what to do about it. */
export function FailureText({ failure }: { failure: Failure }) {
  return (
    <p>
      <b>{failure.message}</b>
      <br />
      {adviceOn(failure)}
      {failure.requestId && <small> Request id: {failure.requestId}</small>}
    </p>
  );
}

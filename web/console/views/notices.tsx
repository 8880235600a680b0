import { adviceOn } from '../state/failure.ts';
import type { Failure, StorageProblem, Wait } from '../state/types.ts';
import { useConsole, useNow } from './console.ts';

/** The failure, and what the page waits for: above the content, so that nothing moves. */
export function Notices() {
  const { state, dispatch } = useConsole();
  return (
    <div class="notices">
      {state.wait && <WaitNotice wait={state.wait} />}
      {state.storageProblem && !state.storageProblem.isDismissed && (
        <StorageNotice reason={state.storageProblem.reason} />
      )}
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

const NOT_KEPT: Readonly<Record<StorageProblem['reason'], string>> = {
  full: 'There is no room for it in this browser. Forget other projects, or save this one as a zip before you leave the page.',
  unavailable:
    'This browser lets the page store nothing, as in some private windows. Save the project as a zip before you leave the page.',
};

function StorageNotice({ reason }: { reason: StorageProblem['reason'] }) {
  const { dispatch } = useConsole();
  return (
    <div class="notice">
      <p role="status">
        <b>The project is not kept</b>
        <br />
        {NOT_KEPT[reason]}
      </p>
      <button type="button" onClick={() => dispatch({ type: 'storageProblemDismissed' })}>
        Dismiss
      </button>
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

import { request } from '../api/request';
import { CancelRunDocument, RetryRunDocument } from '../generated/operations';
import type { RunRowFragment } from '../generated/operations';
import { href, navigate } from '../router';
import { Action, throwUserError } from './action';
import { notify } from './notices';
import { hasEnded } from './run-state';

type ActionableRun = Pick<RunRowFragment, 'databaseId' | 'state' | 'viewerCan'>;

/** Cancels active runs and retries ended ones. Empty without permission. */
export function RunActions({
  run,
  isQuiet = false,
  opensRetry = false,
  hasLoggedRetry = false,
}: {
  run: ActionableRun;
  isQuiet?: boolean;
  /** Opens the new run after a retry. */
  opensRetry?: boolean;
  /** Whether it can be retried with logging. */
  hasLoggedRetry?: boolean;
}) {
  const { databaseId, state, viewerCan } = run;
  const id = String(databaseId);
  if (!hasEnded(state)) {
    if (!viewerCan.cancel) return null;
    return (
      <Action
        icon="stop"
        text="Cancel"
        label={`Cancel run ${databaseId}`}
        isQuiet={isQuiet}
        confirm={`Cancel run ${databaseId}? Completed steps are not undone.`}
        confirmText="Cancel the run"
        run={async () => {
          const { runCancel } = await request(CancelRunDocument, { id });
          throwUserError(runCancel.userErrors);
          notify(`Run ${databaseId} is being cancelled.`);
        }}
      />
    );
  }
  if (!viewerCan.start) return null;
  return (
    <RetryActions
      id={databaseId}
      isQuiet={isQuiet}
      opensRetry={opensRetry}
      hasLoggedRetry={hasLoggedRetry}
    />
  );
}

function RetryActions({
  id,
  isQuiet,
  opensRetry,
  hasLoggedRetry,
}: {
  id: number;
  isQuiet: boolean;
  opensRetry: boolean;
  hasLoggedRetry: boolean;
}) {
  const confirm = `Retry run ${id}? The whole workflow runs again, from its first step.`;
  const retry = (logging: boolean | null) => async () => {
    const { runRetry } = await request(RetryRunDocument, { id: String(id), logging });
    throwUserError(runRetry.userErrors);
    const to = href(`runs/${runRetry.run?.databaseId}`);
    notify(`Run ${id} was retried as run ${runRetry.run?.databaseId}.`, {
      link: { href: to, text: 'View run' },
    });
    if (opensRetry) navigate(to);
  };
  return (
    <>
      <Action
        icon="retry"
        text="Retry"
        label={`Retry run ${id}`}
        isQuiet={isQuiet}
        confirm={confirm}
        confirmText="Retry the run"
        run={retry(null)}
      />
      {hasLoggedRetry ? (
        <Action
          icon="retry"
          text="Retry with logging"
          label={`Retry with logging: run ${id}`}
          isQuiet={isQuiet}
          confirm={`${confirm} Requests and responses are recorded.`}
          confirmText="Retry with logging"
          run={retry(true)}
        />
      ) : null}
    </>
  );
}

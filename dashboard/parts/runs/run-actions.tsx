import { request } from '../../api/request';
import { CancelRunDocument, RetryRunDocument } from '../../generated/operations';
import type {
  RetryRunMutationVariables,
  RunRetryFrom,
  RunRowFragment,
} from '../../generated/operations';
import { href, navigate } from '../../router';
import { Action, throwUserError } from '../action';
import { notify } from '../notices';
import { hasEnded } from './run-state';

type ActionableRun = Pick<RunRowFragment, 'databaseId' | 'state' | 'viewerCan'>;

/** Retries a run and returns the address of the new one. */
async function retried(
  databaseId: number,
  how: Omit<RetryRunMutationVariables, 'id'>,
): Promise<string> {
  const { runRetry } = await request(RetryRunDocument, { id: String(databaseId), ...how });
  throwUserError(runRetry.userErrors);
  const to = href(`runs/${runRetry.run?.databaseId}`);
  notify(`Run ${databaseId} was retried as run ${runRetry.run?.databaseId}.`, {
    link: { href: to, text: 'View run' },
  });
  return to;
}

/** Retries of a run from its failed step, and the choices for a step whose answer is not known. */
export function ContinueActions({
  run: { databaseId, retryFrom, viewerCan },
}: {
  run: Pick<RunRowFragment, 'databaseId' | 'viewerCan'> & {
    readonly retryFrom: readonly RunRetryFrom[];
  };
}) {
  if (!viewerCan.start || !retryFrom.includes('STEP')) return null;
  const goOn = (from: RunRetryFrom) => async (): Promise<void> =>
    navigate(await retried(databaseId, { from }));
  if (!retryFrom.includes('AFTER_STEP'))
    return (
      <Action
        icon="retry"
        text="Retry from the failed step"
        isPrimary
        confirm={`Retry run ${databaseId} from its failed step? The steps before it keep their answers.`}
        run={goOn('STEP')}
      />
    );
  return (
    <>
      <Action
        icon="play"
        text="Go on as done"
        confirm={`Go on after the last step of run ${databaseId}, as if it had succeeded with an empty answer?`}
        run={goOn('AFTER_STEP')}
      />
      <Action
        icon="retry"
        text="Send again"
        confirm={`Go on with run ${databaseId} at its last step? What it sent may have arrived, and is sent again.`}
        run={goOn('STEP')}
      />
    </>
  );
}

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
  const isEnded = hasEnded(state);
  if (!(isEnded ? viewerCan.start : viewerCan.cancel)) return null;

  const cancel = async (): Promise<void> => {
    const { runCancel } = await request(CancelRunDocument, { id });
    throwUserError(runCancel.userErrors);
    notify(`Run ${databaseId} is being cancelled.`);
  };
  const retry = (logging: boolean | null) => async (): Promise<void> => {
    const to = await retried(databaseId, { logging });
    if (opensRetry) navigate(to);
  };
  const retryConfirm = `Retry run ${databaseId}? The whole workflow runs again, from its first step.`;
  // One element for both, so that the keyboard focus stays on it when the run ends.
  return (
    <>
      <Action
        isQuiet={isQuiet}
        {...(isEnded
          ? {
              icon: 'retry',
              text: 'Retry',
              label: `Retry run ${databaseId}`,
              confirm: retryConfirm,
              confirmText: 'Retry the run',
              run: retry(null),
            }
          : {
              icon: 'stop',
              text: 'Cancel',
              label: `Cancel run ${databaseId}`,
              confirm: `Cancel run ${databaseId}? Completed steps are not undone.`,
              confirmText: 'Cancel the run',
              run: cancel,
            })}
      />
      {isEnded && hasLoggedRetry ? (
        <Action
          icon="retry"
          text="Retry with logging"
          label={`Retry with logging: run ${databaseId}`}
          isQuiet={isQuiet}
          confirm={`${retryConfirm} Requests and responses are recorded.`}
          confirmText="Retry with logging"
          run={retry(true)}
        />
      ) : null}
    </>
  );
}

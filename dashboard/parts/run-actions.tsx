import { ask } from '../api/ask';
import { CancelRunDocument, RetryRunDocument } from '../generated/operations';
import type { RunRowFragment } from '../generated/operations';
import { go, href } from '../place';
import { Action, orThrow } from './action';
import { tell } from './notices';
import { hasEnded } from './state';

type RunToAct = Pick<RunRowFragment, 'databaseId' | 'state' | 'viewerCan'>;

const idOf = (run: RunToAct): { id: string } => ({ id: String(run.databaseId) });

/** Cancels active runs and retries ended ones. Empty without permission. */
export function RunActions({
  run,
  quiet = false,
  follow = false,
}: {
  run: RunToAct;
  quiet?: boolean;
  follow?: boolean;
}) {
  const { databaseId, state, viewerCan } = run;
  if (!hasEnded(state)) {
    if (!viewerCan.cancel) return null;
    return (
      <Action
        icon="stop"
        text="Cancel"
        label={`Cancel run ${databaseId}`}
        quiet={quiet}
        confirm={`Cancel run ${databaseId}? Completed steps are not undone.`}
        yes="Cancel the run"
        run={async () => {
          const { runCancel } = await ask(CancelRunDocument, idOf(run));
          orThrow(runCancel.userErrors);
          tell(`Run ${databaseId} is being cancelled.`);
        }}
      />
    );
  }
  if (!viewerCan.start) return null;
  return (
    <Action
      icon="retry"
      text="Retry"
      label={`Retry run ${databaseId}`}
      quiet={quiet}
      run={async () => {
        const { runRetry } = await ask(RetryRunDocument, idOf(run));
        orThrow(runRetry.userErrors);
        const to = href(`runs/${runRetry.run?.databaseId}`);
        tell(`Run ${databaseId} was retried as run ${runRetry.run?.databaseId}.`, {
          link: { href: to, text: 'View run' },
        });
        if (follow) go(to);
      }}
    />
  );
}

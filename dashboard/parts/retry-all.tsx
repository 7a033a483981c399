import { useState } from 'preact/hooks';
import { ask } from '../api/ask';
import { Failure } from '../api/failure';
import { follow } from '../api/live';
import { RetryRunsDocument, WatchJobDocument } from '../generated/operations';
import type { RunFilter, WatchJobSubscription } from '../generated/operations';
import { Action, orThrow } from './action';
import { count } from './format';
import { tell } from './notices';

type Job = WatchJobSubscription['jobProgress'];

interface Retried {
  readonly runIds: readonly number[];
  readonly notRepeatable: readonly number[];
  readonly more: boolean;
}

const hasEnded = ({ state }: Job): boolean => state !== 'QUEUED' && state !== 'RUNNING';

/** Resolves with the finished job; `seen` receives its progress. */
function endOf(jobId: string, seen: (job: Job) => void): Promise<Job> {
  return new Promise((resolve, reject) => {
    let last: Job | null = null;
    const stop = follow(WatchJobDocument, {
      variables: () => ({ jobId }),
      next({ jobProgress }) {
        last = jobProgress;
        seen(jobProgress);
        if (!hasEnded(jobProgress)) return;
        stop();
        resolve(jobProgress);
      },
      isOver: () => last !== null && hasEnded(last),
      failed: reject,
    });
  });
}

function tellOf(job: Job): void {
  if (job.state !== 'SUCCEEDED')
    throw new Failure(
      'refused',
      job.error?.message ?? 'No runs were retried: the job was cancelled.',
    );
  const { runIds, notRepeatable, more } = job.result as Retried;
  const rest = [
    notRepeatable.length === 0 ? '' : ` ${count(notRepeatable.length)} cannot be retried.`,
    more ? ' More runs match: retry again.' : '',
  ].join('');
  tell(
    runIds.length === 0
      ? `No runs to retry.${rest}`
      : `${count(runIds.length)} ${runIds.length === 1 ? 'run was' : 'runs were'} queued for a retry.${rest}`,
  );
}

/** Retries the failed runs that match a filter, evaluated when the user confirms. */
export function RetryAll({ filter }: { filter: () => RunFilter }) {
  const [percent, setPercent] = useState<number | null>(null);
  return (
    <span class="heading-actions">
      {percent === null ? null : (
        <progress class="share" max={100} value={percent} aria-label="How far the retries are" />
      )}
      <Action
        icon="retry"
        text="Retry all matching runs"
        confirm="Run again what failed or was interrupted of the runs you ask for? What another retry has mended stays as it is. The oldest 1,000 are taken."
        run={async () => {
          const { runsRetry } = await ask(RetryRunsDocument, {
            filter: { and: [filter(), { queuedAt: { lte: new Date().toISOString() } }] },
          });
          orThrow(runsRetry.userErrors);
          setPercent(0);
          try {
            tellOf(
              await endOf(String(runsRetry.job?.databaseId), (job) => setPercent(job.percent)),
            );
          } finally {
            setPercent(null);
          }
        }}
      />
    </span>
  );
}

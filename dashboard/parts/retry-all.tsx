import { useState } from 'preact/hooks';
import { Failure } from '../api/failure';
import { waitForJob } from '../api/jobs';
import type { Job } from '../api/jobs';
import { request } from '../api/request';
import { RetryRunsDocument } from '../generated/operations';
import type { RunFilter } from '../generated/operations';
import { Action, throwUserError } from './action';
import { formatNumber } from './format';
import { notify } from './notices';

interface RetryResult {
  readonly runIds: readonly number[];
  readonly notRepeatable: readonly number[];
  readonly more: boolean;
}

function notifyOfResult(job: Job): void {
  if (job.state !== 'SUCCEEDED')
    throw new Failure(
      'rejected',
      job.error?.message ?? 'No runs were retried: the job was cancelled.',
    );
  const { runIds, notRepeatable, more } = job.result as RetryResult;
  const rest = [
    notRepeatable.length === 0 ? '' : ` ${formatNumber(notRepeatable.length)} cannot be retried.`,
    more ? ' More runs match: retry again.' : '',
  ].join('');
  notify(
    runIds.length === 0
      ? `No runs to retry.${rest}`
      : `${formatNumber(runIds.length)} ${runIds.length === 1 ? 'run was' : 'runs were'} queued for a retry.${rest}`,
  );
}

/** Retries the failed runs that match a filter, evaluated when the user confirms. */
export function RetryAll({ filter }: { filter: () => RunFilter }) {
  const [percent, setPercent] = useState<number | null>(null);
  return (
    <span class="heading-actions">
      {percent === null ? null : (
        <progress class="share" max={100} value={percent} aria-label="Progress of the retries" />
      )}
      <Action
        icon="retry"
        text="Retry all matching runs"
        confirm="Retry the failed and interrupted runs that match the filters? Runs with a successful retry are left out. At most the oldest 1,000 are retried."
        run={async () => {
          const { runsRetry } = await request(RetryRunsDocument, {
            filter: { and: [filter(), { queuedAt: { lte: new Date().toISOString() } }] },
          });
          throwUserError(runsRetry.userErrors);
          setPercent(0);
          try {
            notifyOfResult(
              await waitForJob(String(runsRetry.job?.databaseId), (job) => setPercent(job.percent)),
            );
          } finally {
            setPercent(null);
          }
        }}
      />
    </span>
  );
}

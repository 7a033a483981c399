import { WatchJobDocument } from '../generated/operations';
import type { WatchJobSubscription } from '../generated/operations';
import { subscribe } from './subscriptions';

export type Job = WatchJobSubscription['jobProgress'];

const hasEnded = ({ state }: Job): boolean => state !== 'QUEUED' && state !== 'RUNNING';

/** Resolves with the finished job; `onProgress` is called with each change. */
export function waitForJob(jobId: string, onProgress: (job: Job) => void): Promise<Job> {
  return new Promise((resolve, reject) => {
    let last: Job | null = null;
    const stop = subscribe(WatchJobDocument, {
      variables: () => ({ jobId }),
      onData({ jobProgress }) {
        last = jobProgress;
        onProgress(jobProgress);
        if (!hasEnded(jobProgress)) return;
        stop();
        resolve(jobProgress);
      },
      isComplete: () => last !== null && hasEnded(last),
      onError: reject,
    });
  });
}

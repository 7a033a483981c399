import type { ReachedService } from './harness';
import { storeConnection } from '../store/stored';
import { socketOf } from './watch';

let ids = 900_000;

/** Stores an ended job, by default of the administrator, and returns its id. */
export async function storedJob(more: Record<string, unknown> = {}): Promise<number> {
  const [_id, at] = [++ids, new Date()];
  await storeConnection()
    .collection<any>('jobs')
    .insertOne({
      _id,
      kind: 'template-import',
      state: 'SUCCEEDED',
      percent: 100,
      message: 'Done.',
      result: '[]',
      error: null,
      owner: { userId: 1, email: 'admin@hypha.test' },
      createdAt: at,
      startedAt: at,
      finishedAt: at,
      cancelRequested: false,
      expiresAt: new Date(at.getTime() + 60_000),
      ...more,
    });
  return _id;
}

const PROGRESS =
  'subscription($id: ID!) { jobProgress(jobId: $id) { state percent message error { code message } result } }';

/** All events of a job of the administrator. */
export async function jobEvents(service: ReachedService, jobId: number): Promise<any[]> {
  const client = socketOf(service);
  const all: any[] = [];
  try {
    for await (const { data, errors } of client.iterate<any>({
      query: PROGRESS,
      variables: { id: jobId },
    })) {
      if (errors) throw new Error(`The job cannot be followed: ${JSON.stringify(errors)}`);
      all.push(data.jobProgress);
    }
  } finally {
    await client.dispose();
  }
  return all;
}

/** The result of a successful job. */
export async function jobResult(service: ReachedService, jobId: number): Promise<any> {
  const last = (await jobEvents(service, jobId)).at(-1);
  if (last?.state !== 'SUCCEEDED' || last.percent !== 100)
    throw new Error(`The job failed: ${JSON.stringify(last)}`);
  return last.result;
}

import mongoose from 'mongoose';
import type { Received } from '../peers/remote-system';
import { until } from '../until';
import type { Cluster } from './cluster';
import { sentNumbers } from './load';
import type { Load } from './load';

interface StoredRun {
  readonly _id: number;
  readonly workflowId: number;
  readonly state: string;
  readonly scheduleId?: number;
  readonly dueAt?: Date;
}

interface StoredEvents {
  readonly runId: number;
  readonly events: string;
}

/** What is wrong after the load, and what happened. */
export interface Outcome {
  readonly faults: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
}

/** All runs that wait must have ended by then, ms. */
const END_MS = 180_000;

/** Compares what clients, the other system and the store have seen. */
export async function checkCluster(
  cluster: Cluster,
  load: Load,
  received: readonly Received[],
): Promise<Outcome> {
  const connection = await mongoose.createConnection(cluster.storeUri).asPromise();
  try {
    const runs = connection.collection<StoredRun>('runs');
    const going = { state: { $in: ['QUEUED', 'RUNNING'] } };
    await until(async () => (await runs.countDocuments(going)) === 0, END_MS);
    const all = await runs.find().toArray();
    const ends = endsOf(
      await connection.collection<StoredEvents>('run_event_batches').find().toArray(),
    );
    const called = all.filter(({ workflowId }) => workflowId === load.webhookWorkflow);
    const workflow = await connection
      .collection<{ _id: number; version: number }>('workflows')
      .findOne({ _id: load.editedWorkflow });
    const { seen } = load;
    const sent = sentNumbers(received);
    const succeeded = called.filter(({ state }) => state === 'SUCCEEDED').length;
    const due = all.filter(({ dueAt }) => dueAt !== undefined);
    const dueTimes = new Set(due.map((run) => `${run.scheduleId} ${run.dueAt?.getTime()}`));
    const faults = [
      ...seen.faults,
      ...[...sent].filter(([, count]) => count > 1).map(([n]) => `call ${n} was sent twice`),
      ...[...sent.keys()]
        .filter((n) => !seen.accepted.has(n) && !seen.unknown.has(n))
        .map((n) => `call ${n} was sent, but refused`),
      ...all
        .filter(({ _id }) => ends.get(_id) !== 1)
        .map(({ _id, state }) => `run ${_id} (${state}) has ${ends.get(_id) ?? 0} ends`),
      ...between('runs of the webhook', called.length, seen.accepted.size, seen.unknown.size),
      ...between('sent calls', sent.size, succeeded, called.length - succeeded),
      ...between('saves', (workflow?.version ?? 0) - 1, seen.saves, seen.unknownSaves),
      ...(dueTimes.size < due.length ? ['a due time was started twice'] : []),
    ];
    return {
      faults,
      counts: {
        accepted: seen.accepted.size,
        unknown: seen.unknown.size,
        succeeded,
        interrupted: called.length - succeeded,
        due: due.length,
        saves: seen.saves,
        signIns: seen.signIns,
        followed: seen.followed,
      },
    };
  } finally {
    await connection.close();
  }
}

/** What clients do not know may have happened or not. */
function between(name: string, count: number, certain: number, uncertain: number): string[] {
  return count >= certain && count <= certain + uncertain
    ? []
    : [`${count} ${name}, but ${certain} to ${certain + uncertain} were to be`];
}

/** How often each run has ended, by its stored events. */
function endsOf(batches: readonly StoredEvents[]): Map<number, number> {
  const ends = new Map<number, number>();
  for (const { runId, events } of batches) {
    const count = events
      .split('\n')
      .filter((line) => line.includes('{"kind":"RunFinished"')).length;
    ends.set(runId, (ends.get(runId) ?? 0) + count);
  }
  return ends;
}

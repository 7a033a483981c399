import type { mongo } from 'mongoose';
import { dropIndexes } from '../../platform/store/drop-indexes';
import { unless } from '../../platform/store/store-codes';
import type { Migration } from '../../platform/store/migrations';
import type { VersionRecord } from '../workflows/workflow.model';
import { durationUntil } from './run-duration';
import type { RunErrorCode } from './run-error-codes';
import type { RunEventBatchRecord, RunRecord } from './run.model';
import { batchesOf } from './run-event-batches';

/** An event as earlier versions stored it, each as a record of `run_events`. */
interface SingleEventRecord {
  readonly runId: number;
  readonly sequence: number;
  readonly at: Date;
  readonly kind: string;
  readonly body: string;
  readonly expiresAt: Date | null;
}

/** Of lists in the order of their ids. */
export const runIndexesById = dropIndexes('runs', ['state_1__id_1', 'workflowId_1__id_1']);

const BATCH = 500;

/** How long a run took was told by its last event alone. */
export const durationsOfRuns: Migration = {
  name: 'durations of runs',
  async run({ store, requireLease }) {
    const runs = store.connection.collection<RunRecord>('runs');
    for (let last = 0; ;) {
      const batch = await runs.find({ _id: { $gt: last } }, { projection: { startedAt: 1, finishedAt: 1 } }).sort({ _id: 1 }).limit(BATCH).toArray();
      if (batch.length > 0) {
        await runs.bulkWrite(batch.map((run) => ({
          updateOne: { filter: { _id: run._id }, update: { $set: { durationMs: run.finishedAt && durationUntil(run.finishedAt, run) } } } })));
      }
      requireLease();
      if (batch.length < BATCH) return;
      last = batch[batch.length - 1]?._id ?? last;
    }
  },
};

/** Runs did not say what started them. */
export const triggersOfRuns: Migration = {
  name: 'triggers of runs',
  async run({ store }) {
    const runs = store.connection.collection<RunRecord>('runs');
    for (const [test, trigger] of [[true, 'TEST'], [false, 'MANUAL']] as const) await runs.updateMany({ test, trigger: { $exists: false } }, { $set: { trigger } });
  },
};

/** Runs had no owners: those that go on have lost theirs, and what waits is anybody's. */
export const ownersOfRuns: Migration = {
  name: 'owners of runs',
  async run({ store }) {
    await store.connection.collection<RunRecord>('runs').updateMany({ fence: { $exists: false } }, { $set: { owner: null, leaseUntil: null, fence: 0, cancelRequested: false } });
  },
};

/** Snapshots went with the end of the last run that executed them: those that are there are kept for the runs that are there. */
export const snapshotsOfRuns: Migration = {
  name: 'snapshots are kept with their runs',
  async run({ store, requireLease }) {
    const kept = new Map<string, number>();
    const runs = store.connection.collection<RunRecord>('runs');
    for await (const { content } of runs.find({}, { projection: { 'content.id': 1 }, batchSize: BATCH })) {
      kept.set(content.id, (kept.get(content.id) ?? 0) + 1);
    }
    requireLease();
    const versions = store.connection.collection<VersionRecord>('workflow_versions');
    for (let last = ''; ;) {
      const batch = await versions.find({ _id: { $gt: last } }, { projection: { 'content.id': 1 } }).sort({ _id: 1 }).limit(BATCH).toArray();
      if (batch.length > 0) {
        await versions.bulkWrite(batch.map(({ _id, content }) => ({ updateOne: { filter: { _id }, update: { $set: { kept: kept.get(content.id) ?? 0 } } } })));
      }
      requireLease();
      if (batch.length < BATCH) return;
      last = batch[batch.length - 1]?._id ?? last;
    }
  },
};

/** Codes that are gone, and what says the same: of two that meant one thing one is left, and what was not available is by now. */
const RENAMED_CODES: Readonly<Record<string, RunErrorCode>> = {
  STEP_TIMEOUT: 'OUTBOUND_TIMEOUT',
  RESPONSE_TOO_LARGE: 'OUTBOUND_TOO_LARGE',
  EXPRESSION_UNKNOWN_ITERATOR: 'ITERATOR_UNKNOWN',
  METHOD_TYPE_NOT_AVAILABLE: 'METHOD_TYPE_UNKNOWN',
  BODY_FORMAT_NOT_AVAILABLE: 'REQUEST_BODY_INVALID',
  SCRIPT_NOT_AVAILABLE: 'SCRIPT_ENGINE_OFF',
  RUN_MEMORY_EXCEEDED: 'RUN_OUT_OF_MEMORY',
  INTERNAL_SERVER_ERROR: 'RUN_FAULT',
};

/** Errors of runs, and of steps in the events that are kept. */
export const codesOfRunErrors: Migration = {
  name: 'codes of run errors',
  async run({ store, requireLease }) {
    const runs = store.connection.collection<RunRecord>('runs');
    for (const [from, to] of Object.entries(RENAMED_CODES)) await runs.updateMany({ 'error.code': from }, { $set: { 'error.code': to } });
    const events = store.connection.collection<SingleEventRecord>('run_events');
    for (let last: mongo.ObjectId | null = null; ;) {
      const batch: mongo.WithId<SingleEventRecord>[] = await events.find({ ...(last !== null && { _id: { $gt: last } }), kind: { $in: ['StepFinished', 'RunFinished'] } }).sort({ _id: 1 }).limit(BATCH).toArray();
      for (const { _id, body } of batch) {
        const renamed = withRenamedCode(body);
        if (renamed !== body) await events.updateOne({ _id }, { $set: { body: renamed } });
      }
      requireLease();
      if (batch.length < BATCH) return;
      last = batch[batch.length - 1]?._id ?? last;
    }
  },
};

/** Most events have no error, and are not read. */
function withRenamedCode(body: string): string {
  if (!Object.keys(RENAMED_CODES).some((code) => body.includes(`"code":"${code}"`))) return body;
  const event = JSON.parse(body) as { error?: { code: string } | null };
  const to = event.error ? RENAMED_CODES[event.error.code] : undefined;
  return event.error && to !== undefined ? JSON.stringify({ ...event, error: { ...event.error, code: to } }) : body;
}

/** Every event was a record. The old ones stay until all are copied: a start that dies half way begins again. */
export const batchesOfRunEvents: Migration = {
  name: 'events of runs in batches',
  async run({ store, requireLease }) {
    const { connection } = store;
    const single = connection.collection<SingleEventRecord>('run_events');
    const batches = connection.collection<RunEventBatchRecord>('run_event_batches');
    // What a start that died has copied may begin elsewhere by now: events expire one by one.
    if (await single.findOne({}) !== null) await batches.deleteMany({});
    let gathered: SingleEventRecord[] = [];
    let records: RunEventBatchRecord[] = [];
    const write = async (): Promise<void> => {
      requireLease();
      if (records.length > 0) await batches.bulkWrite(records.map(({ _id, ...record }) => ({ replaceOne: { filter: { _id }, replacement: record, upsert: true } })));
      records = [];
    };
    const pack = (): void => {
      if (gathered[0]) records.push(...batchesOf({ _id: gathered[0].runId }, gathered, latest(gathered)));
      gathered = [];
    };
    let events = 0;
    for await (const event of single.find({}, { projection: { _id: 0 } }).sort({ runId: 1, sequence: 1 })) {
      const [first] = gathered;
      // A record says of its events that they follow each other: some in between may have expired.
      if (first?.runId !== event.runId || first.sequence + gathered.length !== event.sequence || gathered.length >= BATCH) pack();
      gathered.push(event);
      if ((events += 1) % BATCH === 0) await write();
    }
    pack();
    await write();
    await single.drop().catch(unless('namespaceNotFound'));
  },
};

/** The last of them decides how long a record lives. */
function latest(events: readonly SingleEventRecord[]): Date | null {
  const moments = events.map(({ expiresAt }) => expiresAt?.getTime() ?? Infinity);
  const last = Math.max(...moments);
  return last === Infinity ? null : new Date(last);
}

/** How long what was logged before there were logs can still be followed. */
const STILL_MS = 24 * 60 * 60 * 1000;

/** Events of logged runs were kept as long as their run, and are in no log: they go as those of other runs do. */
export const eventsBeforeLogs: Migration = {
  name: 'events from before there were logs expire',
  async run({ store, requireLease }) {
    const batches = store.connection.collection<RunEventBatchRecord>('run_event_batches');
    const expiresAt = new Date(Date.now() + STILL_MS);
    for (;;) {
      const batch = await batches.find({ expiresAt: null }, { projection: { _id: 1 } }).limit(BATCH).toArray();
      if (batch.length > 0) await batches.updateMany({ _id: { $in: batch.map(({ _id }) => _id) } }, { $set: { expiresAt } });
      requireLease();
      if (batch.length < BATCH) return;
    }
  },
};

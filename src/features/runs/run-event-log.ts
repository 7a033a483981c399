import type { Clock } from '../../platform/clock/clock';
import type { EventBus } from '../../platform/events/bus';
import type { Store, Tx } from '../../platform/store/store';
import { unionOf } from '../../platform/store/union';
import type { EventRow } from './execution/run-engine';
import type { PublishedRunEvent, PublishedRunEventRow } from './run.events';
import { runEventsTopic } from './run.events';
import type { RunEventBatchRecord } from './run.model';
import { runEventBatchSchema } from './run.model';
import { batchesOf, eventsIn } from './run-event-batches';
import type { EventsOf } from './run-event-batches';
import { createRunEventInsertion } from './run-event-insertion';

/** How long the events of a run without logging live. */
const UNLOGGED_MS = 24 * 60 * 60 * 1000;

export type RunEventLog = ReturnType<typeof createRunEventLog>;

/** The events of all runs: written in order, stored before they are published, read by sequence. */
export function createRunEventLog({ store, bus, clock }: { store: Store; bus: EventBus; clock: Clock }) {
  const events = store.model<RunEventBatchRecord>('RunEventBatch', runEventBatchSchema, 'run_event_batches');
  const records = store.connection.collection<RunEventBatchRecord>(events.collection.name);

  const expiryOf = ({ logging }: EventsOf): Date | null => (logging ? null : new Date(clock.now().getTime() + UNLOGGED_MS));

  /** Those in which events after a sequence stand, up to `limit`, that are not expired: these count as gone, whether or not the store has removed them yet. */
  const kept = (runId: number, afterSequence: number, limit: number) =>
    ({ runId, last: { $gt: afterSequence }, first: { $lte: afterSequence + limit }, $or: [{ expiresAt: null }, { expiresAt: { $gt: clock.now() } }] });

  function publish(runId: number, rows: readonly EventRow[]): void {
    bus.publish<readonly PublishedRunEventRow[]>(runEventsTopic(runId), rows.map((row) => ({ ...row, runId })));
  }

  return {
    /** Writes the events of one run. `require` is called before anything is written; when it throws, nothing more is. */
    writer: createRunEventInsertion({ records, expiryOf, publish }),

    /** Writes the last events of a run as part of a transaction; published after the commit. */
    async append(run: EventsOf, rest: readonly EventRow[], { runId: _, sequence, at, ...body }: PublishedRunEvent, tx: Tx): Promise<void> {
      const rows = [...rest, { sequence, at, kind: body.kind, body: JSON.stringify(body) }];
      await records.insertMany(batchesOf(run, rows, expiryOf(run)), { ordered: true, session: tx.session });
      tx.afterCommit(() => publish(run._id, rows));
    },

    /** Up to `limit` events after a sequence, in order. */
    async read(runId: number, afterSequence: number, limit: number): Promise<PublishedRunEvent[]> {
      return eventsIn(await events.find(kept(runId, afterSequence, limit)).sort({ last: 1 }).lean<RunEventBatchRecord[]>(), afterSequence, limit);
    },

    /** The same of each of several runs, in one call to the store. */
    async readEach(runIds: readonly number[], afterSequence: number, limit: number): Promise<PublishedRunEvent[][]> {
      if (runIds.length === 0) return [];
      const batches = await events.aggregate<RunEventBatchRecord>(
        unionOf(events, runIds.map((runId) => [{ $match: kept(runId, afterSequence, limit) }, { $sort: { last: 1 } }])));
      const found = new Map<number, RunEventBatchRecord[]>(runIds.map((runId) => [runId, []]));
      for (const batch of batches) found.get(batch.runId)?.push(batch);
      return runIds.map((runId) => eventsIn(found.get(runId) ?? [], afterSequence, limit));
    },

    /** Up to this sequence, as far as they are not stored together with later ones: what is left begins behind it. */
    async removeUpTo(runId: number, sequence: number): Promise<number> {
      return (await events.deleteMany({ runId, last: { $lte: sequence } })).deletedCount;
    },

    /** All events of these runs, which are few. */
    async removeOf(runIds: readonly number[], tx: Tx): Promise<void> {
      await events.deleteMany({ runId: { $in: [...runIds] } }, { session: tx.session });
    },

    /** 0 when nothing is stored. */
    async lastSequence(runId: number, tx?: Tx): Promise<number> {
      const newest = await events.findOne({ runId }, { last: 1 }, { session: tx?.session }).sort({ last: -1 }).lean<Pick<RunEventBatchRecord, 'last'>>();
      return newest?.last ?? 0;
    },

    /** Steps that are known to have ended, each once, however often it was tried. */
    async finishedSteps(runId: number, tx?: Tx): Promise<number> {
      const batches = await events.find({ runId }, { steps: 1 }, { session: tx?.session }).lean<Pick<RunEventBatchRecord, 'steps'>[]>();
      return batches.reduce((sum, { steps }) => sum + steps, 0);
    },
  };
}

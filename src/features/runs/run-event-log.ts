import type { Clock } from '../../platform/clock/clock';
import type { EventBus } from '../../platform/events/bus';
import type { Store, Tx } from '../../platform/store/store';
import { unionOf } from '../../platform/store/union';
import type { EventRow } from './execution/run-engine';
import type { PublishedRunEvent, PublishedRunEventRow } from './run.events';
import { eventOf, runEventsTopic } from './run.events';
import type { RunRecord, RunEventRecord } from './run.model';
import { runEventSchema } from './run.model';
import { RunEventWriter } from './run-event-writer';

/** How long the events of a run without logging live. */
const UNLOGGED_MS = 24 * 60 * 60 * 1000;

/** In the text of a step that has ended. Quotation marks of what it carries are escaped. */
const FIRST_TRY = /"attempt":1,/;

export type RunEventLog = ReturnType<typeof createRunEventLog>;

/** The events of all runs: written in order, stored before they are published, read by sequence. */
export function createRunEventLog({ store, bus, clock }: { store: Store; bus: EventBus; clock: Clock }) {
  const events = store.model<RunEventRecord>('RunEvent', runEventSchema, 'run_events');
  type Kept = Pick<RunRecord, '_id' | 'logging'>;

  const stored = (run: Kept, row: EventRow): RunEventRecord =>
    ({ runId: run._id, sequence: row.sequence, at: row.at, kind: row.kind, body: row.body, expiresAt: run.logging ? null : new Date(clock.now().getTime() + UNLOGGED_MS) });

  /** Those that are not expired: they count as gone, whether or not the store has removed them yet. */
  const kept = (runId: number, afterSequence: number) =>
    ({ runId, sequence: { $gt: afterSequence }, $or: [{ expiresAt: null }, { expiresAt: { $gt: clock.now() } }] });

  function publish(runId: number, rows: readonly PublishedRunEventRow[]): void {
    bus.publish(runEventsTopic(runId), rows);
  }

  return {
    /** @param require called before each batch is written; when it throws, nothing more is. */
    writer(run: Kept, require: () => Promise<void>): RunEventWriter {
      return new RunEventWriter(async (rows) => {
        await require();
        const records = rows.map((row) => stored(run, row));
        await events.collection.insertMany(records, { ordered: true });
        publish(run._id, records);
      });
    },

    /** Writes the last events of a run as part of a transaction; published after the commit. */
    async append(run: Kept, rest: readonly EventRow[], { runId: _, sequence, at, ...body }: PublishedRunEvent, tx: Tx): Promise<void> {
      const records = [...rest, { sequence, at, kind: body.kind, body: JSON.stringify(body) }].map((row) => stored(run, row));
      await events.collection.insertMany(records, { ordered: true, session: tx.session });
      tx.afterCommit(() => publish(run._id, records));
    },

    /** Up to `limit` events after a sequence, in order. */
    async read(runId: number, afterSequence: number, limit: number): Promise<PublishedRunEvent[]> {
      return (await events.find(kept(runId, afterSequence)).sort({ sequence: 1 }).limit(limit).lean<RunEventRecord[]>()).map(eventOf);
    },

    /** The same of each of several runs, in one call to the store. */
    async readEach(runIds: readonly number[], afterSequence: number, limit: number): Promise<PublishedRunEvent[][]> {
      if (runIds.length === 0) return [];
      const rows = await events.aggregate<RunEventRecord>(
        unionOf(events, runIds.map((runId) => [{ $match: kept(runId, afterSequence) }, { $sort: { sequence: 1 } }, { $limit: limit }])));
      const found = new Map<number, PublishedRunEvent[]>(runIds.map((runId) => [runId, []]));
      for (const row of rows) found.get(row.runId)?.push(eventOf(row));
      return runIds.map((runId) => found.get(runId) ?? []);
    },

    /** Up to this sequence: what is left begins behind it. */
    async removeUpTo(runId: number, sequence: number): Promise<number> {
      return (await events.deleteMany({ runId, sequence: { $lte: sequence } })).deletedCount;
    },

    /** All events of these runs, which are few. */
    async removeOf(runIds: readonly number[], tx: Tx): Promise<void> {
      await events.deleteMany({ runId: { $in: [...runIds] } }, { session: tx.session });
    },

    /** 0 when nothing is stored. */
    async lastSequence(runId: number, tx?: Tx): Promise<number> {
      const row = await events.findOne({ runId }, { sequence: 1 }, { session: tx?.session }).sort({ sequence: -1 }).lean<Pick<RunEventRecord, 'sequence'>>();
      return row?.sequence ?? 0;
    },

    /** Steps that are known to have ended, each once, however often it was tried. */
    async finishedSteps(runId: number, tx?: Tx): Promise<number> {
      return events.countDocuments({ runId, kind: 'StepFinished', body: FIRST_TRY }, { session: tx?.session });
    },
  };
}

import type { RunEventBody } from '../../engine/events';
import type { Clock } from '../../platform/clock/clock';
import type { EventBus } from '../../platform/events/bus';
import type { Store, Tx } from '../../platform/store/store';
import type { PublishedRunEvent } from './run.events';
import { runEventsTopic } from './run.events';
import type { RunRecord, RunEventRecord } from './run.model';
import { runEventSchema } from './run.model';
import { RunEventWriter } from './run-event-writer';

/** How long the events of a run without logging live. */
const UNLOGGED_MS = 24 * 60 * 60 * 1000;

export type RunEventLog = ReturnType<typeof createRunEventLog>;

/** The events of all runs: written in order, stored before they are published, read by sequence. */
export function createRunEventLog({ store, bus, clock }: { store: Store; bus: EventBus; clock: Clock }) {
  const events = store.model<RunEventRecord>('RunEvent', runEventSchema, 'run_events');
  type Kept = Pick<RunRecord, '_id' | 'logging'>;

  function stored(run: Kept, { runId, sequence, at, ...body }: PublishedRunEvent): RunEventRecord {
    return { runId, sequence, at, kind: body.kind, body: JSON.stringify(body), expiresAt: run.logging ? null : new Date(clock.now().getTime() + UNLOGGED_MS) };
  }

  function publish(runId: number, batch: readonly PublishedRunEvent[]): void {
    bus.publish(runEventsTopic(runId), batch);
  }

  return {
    writer(run: Kept): RunEventWriter {
      return new RunEventWriter(async (batch: readonly RunEventBody[]) => {
        const records = batch.map((event): PublishedRunEvent => ({ ...event, runId: run._id }));
        await events.collection.insertMany(records.map((record) => stored(run, record)), { ordered: true });
        publish(run._id, records);
      });
    },

    /** Writes one event as part of a transaction; published after the commit. */
    async append(run: Kept, record: PublishedRunEvent, tx: Tx): Promise<void> {
      await events.create([stored(run, record)], { session: tx.session });
      tx.afterCommit(() => publish(run._id, [record]));
    },

    /** Up to `limit` events after a sequence, in order. Expired ones are gone, whether or not the store has removed them yet. */
    async read(runId: number, afterSequence: number, limit: number): Promise<PublishedRunEvent[]> {
      const rows = await events
        .find({ runId, sequence: { $gt: afterSequence }, $or: [{ expiresAt: null }, { expiresAt: { $gt: clock.now() } }] })
        .sort({ sequence: 1 }).limit(limit).lean<RunEventRecord[]>();
      return rows.map(({ sequence, at, body }) => ({ ...JSON.parse(body) as object, runId, sequence, at }) as PublishedRunEvent);
    },

    /** 0 when nothing is stored. */
    async lastSequence(runId: number): Promise<number> {
      const row = await events.findOne({ runId }).sort({ sequence: -1 }).lean<RunEventRecord>();
      return row?.sequence ?? 0;
    },

    /** Steps that are known to have ended. */
    async finishedSteps(runId: number): Promise<number> {
      return events.countDocuments({ runId, kind: 'StepFinished' });
    },
  };
}

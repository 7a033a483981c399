import type { EventBus } from '../../platform/events/bus';
import { LiveTail } from './live-tail';
import type { PublishedRunEvent, PublishedRunEventRow } from './run.events';
import { eventOf, runEventsTopic } from './run.events';
import type { RunRecord } from './run.model';
import type { RunEventLog } from './run-event-log';
import { gapIn, requireSequence } from './run-log.rules';

const PAGE = 200;
/** The bus may lose an event; nobody waits longer than this before looking into the store. */
const LOOK_AGAIN_MS = 15_000;

export interface FeedDependencies {
  readonly bus: EventBus;
  readonly log: Pick<RunEventLog, 'read'>;
  /** @throws NotFound no such run */
  readonly get: (runId: number) => Promise<RunRecord>;
}

export type RunEventFeed = ReturnType<typeof createRunEventFeed>;

/**
 * Events of runs for subscribers: what they missed comes from the store, what happens now from a tail that all subscribers of a run
 * share. Each subscriber pulls by sequence, so a slow one holds nothing but its place: when the tail has moved on, it reads the store.
 */
export function createRunEventFeed({ bus, log, get }: FeedDependencies) {
  const tails = new Map<number, { readonly tail: LiveTail; readers: number; readonly close: () => void }>();

  function open(runId: number): { tail: LiveTail; close: () => void } {
    let shared = tails.get(runId);
    if (!shared) {
      const tail = new LiveTail();
      shared = { tail, readers: 0, close: bus.subscribe<readonly PublishedRunEventRow[]>(runEventsTopic(runId), (rows) => tail.push(rows.map(eventOf))) };
      tails.set(runId, shared);
    }
    const entry = shared;
    entry.readers += 1;
    return {
      tail: entry.tail,
      close() {
        entry.readers -= 1;
        if (entry.readers > 0) return;
        entry.close();
        tails.delete(runId);
      },
    };
  }

  /**
   * What is stored after `last`; nothing when nothing is there yet, null when the run has ended by then.
   * @throws Refused RUN_LOG_GONE events in between are no longer kept
   */
  async function fromStore(runId: number, last: number): Promise<PublishedRunEvent[] | null> {
    const run = await get(runId);
    if (run.lastSequence !== null && run.lastSequence <= last) return null;
    const events = await log.read(runId, last, PAGE);
    const gap = gapIn(run, last, events);
    if (gap) throw gap;
    return events;
  }

  async function* read(runId: number, afterSequence: number, signal: AbortSignal): AsyncGenerator<PublishedRunEvent, void, undefined> {
    const { tail, close } = open(runId);
    try {
      let last = afterSequence;
      let inStore = false;
      while (!signal.aborted) {
        const batch = (inStore ? undefined : tail.after(last)) ?? await fromStore(runId, last);
        if (batch === null) return;
        for (const event of batch) {
          if (signal.aborted) return;
          yield event;
          last = event.sequence;
          if (event.kind === 'RunFinished') return;
        }
        if (batch.length === 0) inStore = !(await tail.grownBeyond(last, signal, LOOK_AGAIN_MS));
      }
    } finally {
      close();
    }
  }

  return {
    /**
     * The events of a run after a sequence, gapless and in order, ending with the run.
     * @throws NotFound EXECUTION_NOT_FOUND
     * @throws BadInput a negative sequence
     * @throws Refused  RUN_LOG_GONE, also later, while iterating
     */
    async follow(runId: number, afterSequence: number, signal: AbortSignal): Promise<AsyncGenerator<PublishedRunEvent, void, undefined>> {
      requireSequence(afterSequence);
      await get(runId);
      return read(runId, afterSequence, signal);
    },
  };
}


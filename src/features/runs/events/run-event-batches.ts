import type { Collection } from '../../../platform/store/collection';
import { orMissing, orNull, schemaOf } from '../../../platform/store/schema';
import type { Store } from '../../../platform/store/store';
import type { EventRow } from '../execution/run-engine';
import { depthOfLine } from '../logs/element-line';
import { eventOf } from '../run.events';
import type { PublishedRunEvent } from '../run.events';
import type { RunRecord } from '../run.model';

/**
 * Consecutive events of a run, stored together.
 * As text, since header names may contain dots and dollar signs, and storing needs no parsing;
 * together, since a record per event would cost more than the step itself.
 */
export interface RunEventBatchRecord {
  /**
   * Run and first sequence: if two processes write events of a run, only one can store the next.
   */
  readonly _id: string;
  readonly runId: number;
  /** Sequences of the first and the last event, without gaps. */
  readonly first: number;
  readonly last: number;
  /** Number of finished steps, each counted once, at its first attempt. */
  readonly steps: number;
  /** A line per event: time in ms since 1970, a space, its other fields as JSON text. */
  readonly events: string;
  /** Log lines of the events, see `element-line.ts`. Missing if the log shows none. */
  readonly elements?: string;
  /** Depth of the shallowest line: number of enclosing loops and conditions. */
  readonly shallowest?: number;
  /** Null if they are kept as long as the run. */
  readonly expiresAt: Date | null;
}

const runEventBatchSchema = schemaOf<RunEventBatchRecord>({
  _id: String,
  runId: Number,
  first: Number,
  last: Number,
  steps: Number,
  elements: orMissing(String),
  shallowest: orMissing(Number),
  events: String,
  expiresAt: orNull(Date),
});
runEventBatchSchema.index({ runId: 1, last: 1 });
// Finds the few records of a long log that contain shallow elements.
runEventBatchSchema.index(
  { runId: 1, shallowest: 1, last: 1 },
  { partialFilterExpression: { shallowest: { $exists: true } } },
);
runEventBatchSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const runEventBatchCollection = (store: Store): Collection<RunEventBatchRecord> =>
  store.collection<RunEventBatchRecord>('RunEventBatch', runEventBatchSchema, 'run_event_batches');

export const MAX_EVENTS = 500;
/**
 * Maximum characters of the events in a record, unless a single event is larger: records are read
 * and removed as a whole.
 * V8 creates a text of up to 128 KB, timestamps included, ten times as fast as a larger one, which
 * needs memory of its own.
 */
const MAX_TEXT = 112 * 1024;

/** In the JSON of a finished step. Quotes in its values are escaped. */
const FIRST_ATTEMPT = /"attempt":1,/;
const isStep = ({ kind, body }: EventRow): boolean =>
  kind === 'StepFinished' && FIRST_ATTEMPT.test(body);

export type EventsOf = Pick<RunRecord, '_id' | 'test' | 'logOf'>;

/** Number of leading rows that fit into one record; at least one. */
export function countFitting(rows: readonly EventRow[]): number {
  let text = 0;
  for (const [nth, { body, element }] of rows.entries()) {
    text += body.length + (element?.length ?? 0);
    if (nth > 0 && (nth === MAX_EVENTS || text > MAX_TEXT)) return nth;
  }
  return rows.length;
}

export function batchOf(
  { _id: runId }: Pick<EventsOf, '_id'>,
  rows: readonly EventRow[],
  expiresAt: Date | null,
): RunEventBatchRecord {
  const first = rows[0]?.sequence ?? 0;
  const elements = rows.flatMap(({ element }) => element ?? []);
  return {
    _id: `${runId}/${first}`,
    runId,
    first,
    last: first + rows.length - 1,
    steps: rows.filter(isStep).length,
    // Before the events, so that reading elements does not read past the events.
    ...(elements.length > 0 && {
      elements: elements.join('\n'),
      shallowest: Math.min(...elements.map(depthOfLine)),
    }),
    // JSON text contains no line breaks.
    events: rows.map(({ at, body }) => `${at.getTime()} ${body}`).join('\n'),
    expiresAt,
  };
}

export function batchesOf(
  run: Pick<EventsOf, '_id'>,
  rows: readonly EventRow[],
  expiresAt: Date | null,
): RunEventBatchRecord[] {
  const batches: RunEventBatchRecord[] = [];
  for (let from = 0; from < rows.length;) {
    const rest = rows.slice(from);
    const count = countFitting(rest);
    batches.push(batchOf(run, rest.slice(0, count), expiresAt));
    from += count;
  }
  return batches;
}

/** Up to `limit` events after a sequence, from ordered records. */
export function eventsIn(
  batches: readonly RunEventBatchRecord[],
  afterSequence: number,
  limit: number,
): PublishedRunEvent[] {
  const result: PublishedRunEvent[] = [];
  for (const { runId, first, events } of batches) {
    const reached = result.at(-1)?.sequence ?? afterSequence;
    let from = 0;
    for (let sequence = first; from < events.length && result.length < limit; sequence += 1) {
      const end = events.indexOf('\n', from);
      const upTo = end < 0 ? events.length : end;
      if (sequence > reached) result.push(eventAt(events, from, upTo, { runId, sequence }));
      from = upTo + 1;
    }
  }
  return result;
}

function eventAt(
  lines: string,
  from: number,
  upTo: number,
  place: { readonly runId: number; readonly sequence: number },
): PublishedRunEvent {
  const space = lines.indexOf(' ', from);
  return eventOf({
    ...place,
    at: new Date(Number(lines.slice(from, space))),
    body: lines.slice(space + 1, upTo),
  });
}

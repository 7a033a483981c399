import type { EventRow } from './execution/run-engine';
import { depthOfLine } from './logs/element-line';
import type { PublishedRunEvent } from './run.events';
import { eventOf } from './run.events';
import type { RunEventBatchRecord, RunRecord } from './run.model';

/** Maximum number of events in a record. */
export const MOST_EVENTS = 500;
/**
 * Maximum characters of the events in a record, unless a single event is larger: records are read
 * and removed as a whole.
 * V8 creates a text of up to 128 KB, timestamps included, ten times as fast as a larger one, which
 * needs memory of its own.
 */
const MOST_TEXT = 112 * 1024;

/** In the JSON of a finished step. Quotes in its values are escaped. */
const FIRST_TRY = /"attempt":1,/;
const isStep = ({ kind, body }: EventRow): boolean =>
  kind === 'StepFinished' && FIRST_TRY.test(body);

/** The fields of a run that storing its events needs. */
export type EventsOf = Pick<RunRecord, '_id' | 'test' | 'logOf'>;

/** Number of leading rows that fit into one record; at least one. */
export function fitting(rows: readonly EventRow[]): number {
  let text = 0;
  for (const [nth, { body, element }] of rows.entries()) {
    text += body.length + (element?.length ?? 0);
    if (nth > 0 && (nth === MOST_EVENTS || text > MOST_TEXT)) return nth;
  }
  return rows.length;
}

/** Consecutive events of a run, as one record. */
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

/** The same, in as many records as needed. */
export function batchesOf(
  run: Pick<EventsOf, '_id'>,
  rows: readonly EventRow[],
  expiresAt: Date | null,
): RunEventBatchRecord[] {
  const batches: RunEventBatchRecord[] = [];
  for (let from = 0; from < rows.length;) {
    const rest = rows.slice(from);
    const count = fitting(rest);
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
  const found: PublishedRunEvent[] = [];
  for (const { runId, first, events } of batches) {
    const reached = found.at(-1)?.sequence ?? afterSequence;
    let from = 0;
    for (let sequence = first; from < events.length && found.length < limit; sequence += 1) {
      const end = events.indexOf('\n', from);
      const upTo = end < 0 ? events.length : end;
      if (sequence > reached) found.push(eventAt(events, from, upTo, { runId, sequence }));
      from = upTo + 1;
    }
  }
  return found;
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

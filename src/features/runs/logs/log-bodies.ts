import type { RunEventBatchRecord } from '../run.model';

/** A record of events that may hold what is looked for. */
export type EventsPart = Pick<RunEventBatchRecord, 'first' | 'last' | 'events'>;

/** Characters of what is looked for that the store compares: so many find nearly all that the whole would. */
const MOST_COMPARED = 100;

const SPECIAL = /[\\^$.*+?()[\]{}|/]/g;
const literally = (text: string): string => text.replace(SPECIAL, '\\$&');
const asJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** A quote within a text is never without a backslash, so this stands in no body. */
const BEFORE_BODY = '"payload":"';

/**
 * Does not come behind what stands in a body, the last thing in what was sent or came back: its quotation mark is the next that has no backslash, and ends
 * that as well, but not the event. So the store need not hand on what has the form of all events, names of fields, media types, messages.
 */
const BESIDE_BODIES = ['[^\\}]', '\\},"payload"', '\\}\n']
  .map((next) => `(?![^"\\\\]{0,100}"${next})`)
  .join('');

/** Where the JSON text ends that begins at a place, behind its quote. */
export function endOfText(json: string, from: number): number {
  for (let at = json.indexOf('"', from); at >= 0; at = json.indexOf('"', at + 1)) {
    let escapes = 0;
    while (json[at - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return json.length;
}

/** Of the bodies of an event, where the first one begins that ends behind a place; -1: none does. */
function bodyBehind(event: string, place: number): number {
  for (let before = event.indexOf(BEFORE_BODY); before >= 0;) {
    const begin = before + BEFORE_BODY.length;
    const end = endOfText(event, begin);
    if (end > place) return begin;
    before = event.indexOf(BEFORE_BODY, end);
  }
  return -1;
}

/** The bodies of requests and answers in which a text stands, whatever its case. They are stored as JSON texts within the events. */
export class BodySearch {
  /** What the store looks for in the texts of events. */
  readonly pattern: string;
  private readonly inLine: RegExp;
  private readonly inBody: RegExp;

  constructor(text: string) {
    this.pattern = literally(asJson([...text].slice(0, MOST_COMPARED).join(''))) + BESIDE_BODIES;
    this.inLine = new RegExp(literally(asJson(text)) + BESIDE_BODIES, 'giu');
    this.inBody = new RegExp(literally(text), 'iu');
  }

  /** Sequences of the events in whose bodies it stands. */
  in({ first, events }: EventsPart): Set<number> {
    const found = new Set<number>();
    let sequence = first;
    let counted = 0;
    this.inLine.lastIndex = 0;
    for (let hit = this.inLine.exec(events); hit !== null; hit = this.inLine.exec(events)) {
      // What it may stand in ends with the line.
      for (
        let next = events.indexOf('\n', counted);
        next >= 0 && next < hit.index;
        next = events.indexOf('\n', counted)
      ) {
        sequence += 1;
        counted = next + 1;
      }
      const end = events.indexOf('\n', hit.index);
      const upTo = end < 0 ? events.length : end;
      const event = events.slice(counted, upTo);
      const body = bodyBehind(event, hit.index - counted);
      // No body comes after it; or it stands before the next one, as a key does that all events have; or it may be in it.
      if (body < 0) this.inLine.lastIndex = upTo;
      else if (hit.index < counted + body) this.inLine.lastIndex = counted + body;
      else {
        if (this.isInBodyOf(event.slice(event.indexOf(' ') + 1))) found.add(sequence);
        this.inLine.lastIndex = upTo;
      }
    }
    return found;
  }

  private isInBodyOf(body: string): boolean {
    const { request, response } = JSON.parse(body) as {
      request?: { payload: string };
      response?: { payload: string };
    };
    return [request, response].some(
      (segment) => segment !== undefined && this.inBody.test(segment.payload),
    );
  }
}

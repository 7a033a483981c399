import type { RunEventBatchRecord } from '../run.model';

/** An event record that may match the search. */
export type EventsPart = Pick<RunEventBatchRecord, 'first' | 'last' | 'events'>;

/**
 * Characters of the search text that the store compares: enough to exclude nearly all other
 * records.
 */
const MOST_COMPARED = 100;

const SPECIAL = /[\\^$.*+?()[\]{}|/]/g;
const literally = (text: string): string => text.replace(SPECIAL, '\\$&');
const asJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Begins a body. Quotes inside texts are escaped, so that no body contains it. */
const BEFORE_BODY = '"payload":"';

/**
 * Excludes matches outside bodies: a body is the last field of its request or response, so the next
 * unescaped quote closes that object, but not the event.
 * Saves reading records that match only field names, media types or messages.
 */
const BESIDE_BODIES = ['[^\\}]', '\\},"payload"', '\\}\n']
  .map((next) => `(?![^"\\\\]{0,100}"${next})`)
  .join('');

/** Returns the index of the closing quote of the JSON text that begins at `from`. */
export function endOfText(json: string, from: number): number {
  for (let at = json.indexOf('"', from); at >= 0; at = json.indexOf('"', at + 1)) {
    let escapes = 0;
    while (json[at - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return json.length;
}

/** Start of the first body that ends after `place`; -1 if there is none. */
function bodyBehind(event: string, place: number): number {
  for (let before = event.indexOf(BEFORE_BODY); before >= 0;) {
    const begin = before + BEFORE_BODY.length;
    const end = endOfText(event, begin);
    if (end > place) return begin;
    before = event.indexOf(BEFORE_BODY, end);
  }
  return -1;
}

/**
 * Finds the events whose request or response body contains a text, ignoring case. Bodies are stored
 * as JSON texts within the events.
 */
export class BodySearch {
  /** Regular expression for the store. */
  readonly pattern: string;
  private readonly inLine: RegExp;
  private readonly inBody: RegExp;

  constructor(text: string) {
    this.pattern = literally(asJson([...text].slice(0, MOST_COMPARED).join(''))) + BESIDE_BODIES;
    this.inLine = new RegExp(literally(asJson(text)) + BESIDE_BODIES, 'giu');
    this.inBody = new RegExp(literally(text), 'iu');
  }

  /** Sequences of the events whose bodies contain the text. */
  in({ first, events }: EventsPart): Set<number> {
    const found = new Set<number>();
    let sequence = first;
    let counted = 0;
    this.inLine.lastIndex = 0;
    for (let hit = this.inLine.exec(events); hit !== null; hit = this.inLine.exec(events)) {
      // Advance to the line of the match.
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
      // The match is after the last body, before the next body (a key that all events have), or may
      // be in a body.
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

import { fold, foldedTogether } from '../../../platform/text/fold';
import type { RunEventBatchRecord } from '../events/run-event-batches';
import type { ElementLine, ElementPart, FoundElement } from './element-line';
import { stateOf } from './log-element';
import type { ElementStateName, ElementTypeName, LogElement } from './log-element';

/**
 * Positions of texts in a line that are not searched, by kind: the id, which has its own condition,
 * texts that many lines share, such as the HTTP method, and the expressions of loops.
 */
const NOT_SEARCHED: Readonly<Record<ElementLine['kind'], readonly number[]>> = {
  S: [0, 4],
  s: [1],
  I: [0],
  L: [0, 2],
  l: [],
  F: [0, 4],
  W: [],
};

const isSearched = (kind: ElementLine['kind'], place: number): boolean =>
  !NOT_SEARCHED[kind].includes(place);

/**
 * Searched texts of a line: name, label, connector and URL of a method, the expression or iterator
 * of other elements, the error, and the texts of a warning.
 */
const searchedOf = (kind: ElementLine['kind'], texts: readonly string[]): string[] =>
  texts.filter((_, place) => isSearched(kind, place));

/** The text of a list that contains position `at`; null if it is between two texts. */
function textAt(
  lines: string,
  list: number,
  at: number,
): { readonly place: number; readonly end: number } | null {
  let begin = lines.indexOf('"', list) + 1;
  for (let place = 0; begin > 0 && begin <= at; place += 1) {
    const end = endOfText(lines, begin);
    if (at < end) return { place, end };
    begin = lines.indexOf('"', end + 1) + 1;
  }
  return null;
}

/**
 * Whether searched texts of some lines may contain a text: a quick check before parsing each line.
 * @param text folded and JSON-escaped
 */
function mayBeInSearched(elements: string, text: string): boolean {
  const together = foldedTogether(elements);
  if (together === null) return true;
  const { folded, unfolded: lines } = together;
  for (let at = folded.indexOf(text); at >= 0;) {
    const begin = lines.lastIndexOf('\n', at) + 1;
    const list = lines.indexOf(' [', begin) + 1;
    const match = textAt(lines, list, at);
    if (match !== null && isSearched(lines[begin] as ElementLine['kind'], match.place)) return true;
    at = folded.indexOf(text, match?.end ?? Math.max(at + 1, list));
  }
  return false;
}

/** Search criteria for logs; all that are given must match. */
export interface LogSearch {
  /** Contained in a name, label, connector, URL, condition, warning, error or body, ignoring case. */
  readonly text?: string | null;
  readonly states?: readonly ElementStateName[] | null;
  readonly types?: readonly ElementTypeName[] | null;
  readonly step?: string | null;
  /** Bounds for the start of the element: `from` is inclusive, `before` exclusive. */
  readonly from?: Date | null;
  readonly before?: Date | null;
}

export const MAX_SEARCH = 200;

/**
 * Matches a method that did not succeed, a failed operator, or a loop, whose line does not show its
 * end. An open element is in the last line, which is always read.
 */
const MAY_BE_INCOMPLETE = / (?:FAILED|CANCELLED) |^[LF] /m;

const TYPE_OF: Partial<Record<ElementLine['kind'], ElementTypeName>> = {
  S: 'OPERATION',
  I: 'IF',
  L: 'LOOP',
};
const typeOf = ({ kind, facts: [operator] }: ElementLine): ElementTypeName | undefined =>
  kind === 'F' ? (operator === 'if' ? 'IF' : 'LOOP') : TYPE_OF[kind];

const textsOf = ({ texts }: ElementLine): string[] => JSON.parse(texts) as string[];

/** Matches elements by their lines alone; the state is checked on the built element. */
export function matcherOf({ text, states, types, step, from, before }: LogSearch) {
  const needle = fold(text ?? '');
  const asStored = JSON.stringify(needle).slice(1, -1);
  const mayHoldText = (elements: string): boolean =>
    needle === '' || mayBeInSearched(elements, asStored);
  const mayHoldStep = (elements: string): boolean =>
    !step || elements.includes(JSON.stringify(step)) || elements.includes(` ${step} `);
  const mayHoldState = (elements: string): boolean =>
    !states || states.includes('COMPLETE') || MAY_BE_INCOMPLETE.test(elements);
  return {
    /** Search in the bodies of requests and responses; null for none. */
    bodies:
      needle === '' || (types && !types.includes('OPERATION'))
        ? null
        : new BodySearch((text ?? '').trim()),

    /** Whether a part of a log may match: most parts do not and need not be parsed. */
    mayHold: ({ elements, inBodies }: ElementPart): boolean =>
      mayHoldState(elements) &&
      mayHoldStep(elements) &&
      ((inBodies?.size ?? 0) > 0 || mayHoldText(elements)),

    lines({ begin, warnings, end, inBodies = false }: FoundElement): boolean {
      const type = typeOf(begin);
      if (types && !(type !== undefined && types.includes(type))) return false;
      if ((from && begin.at < from.getTime()) || (before && begin.at >= before.getTime()))
        return false;
      // A finished method shows its state; for others, `element` checks it.
      if (states && end !== null && !states.includes(stateOf(end))) return false;
      if (!step && needle === '') return true;
      const texts = textsOf(begin);
      // Conditions and loops have an id and no name.
      const named = begin.kind === 'S' ? texts.slice(0, 2) : texts.slice(0, 1);
      if (step && step !== begin.index && !named.includes(step)) return false;
      return (
        needle === '' ||
        inBodies ||
        [begin, ...warnings, ...(end === null ? [] : [end])]
          .flatMap((line) => searchedOf(line.kind, textsOf(line)))
          .some((one) => fold(one).includes(needle))
      );
    },
    element: ({ state }: LogElement): boolean => !states || states.includes(state),
  };
}

/** An event record that may match the search. */
export type EventsPart = Pick<RunEventBatchRecord, 'first' | 'last' | 'events'>;

/**
 * Characters of the search text that the store compares: enough to exclude nearly all other
 * records.
 */
const MAX_COMPARED = 100;

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
const NOT_IN_BODY = ['[^\\}]', '\\},"payload"', '\\}\n']
  .map((next) => `(?![^"\\\\]{0,100}"${next})`)
  .join('');

/** Returns the index of the closing quote of the JSON text that begins at `from`. */
function endOfText(json: string, from: number): number {
  for (let at = json.indexOf('"', from); at >= 0; at = json.indexOf('"', at + 1)) {
    let escapes = 0;
    while (json[at - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return json.length;
}

/** Start of the first body that ends after `place`; -1 if there is none. */
function findBodyAfter(event: string, place: number): number {
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
  readonly pattern: string;
  private readonly inLine: RegExp;
  private readonly inBody: RegExp;

  constructor(text: string) {
    this.pattern = literally(asJson([...text].slice(0, MAX_COMPARED).join(''))) + NOT_IN_BODY;
    this.inLine = new RegExp(literally(asJson(text)) + NOT_IN_BODY, 'giu');
    this.inBody = new RegExp(literally(text), 'iu');
  }

  /** Sequences of the events whose bodies contain the text. */
  in({ first, events }: EventsPart): Set<number> {
    const sequences = new Set<number>();
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
      const body = findBodyAfter(event, hit.index - counted);
      // The match is after the last body, before the next body (a key that all events have), or may
      // be in a body.
      if (body < 0) this.inLine.lastIndex = upTo;
      else if (hit.index < counted + body) this.inLine.lastIndex = counted + body;
      else {
        if (this.isInBodyOf(event.slice(event.indexOf(' ') + 1))) sequences.add(sequence);
        this.inLine.lastIndex = upTo;
      }
    }
    return sequences;
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

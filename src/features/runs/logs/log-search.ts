import { fold, foldedTogether } from '../../../platform/text/fold';
import type { ElementLine } from './element-line';
import type { ElementPart, FoundElement } from './element-scan';
import { BodySearch, endOfText } from './log-bodies';
import { stateOf } from './log-element';
import type { ElementStateName, ElementTypeName, LogElement } from './log-element';

/**
 * Positions of texts in a line that are not searched, by kind: the id, which has its own condition,
 * and texts that many lines share, such as the HTTP method.
 */
const NOT_SEARCHED: Readonly<Record<ElementLine['kind'], readonly number[]>> = {
  S: [0, 4],
  s: [1],
  I: [0],
  L: [0],
  l: [],
  F: [0],
};

const isSearched = (kind: ElementLine['kind'], place: number): boolean =>
  !NOT_SEARCHED[kind].includes(place);

/**
 * Searched texts of a line: name, label, connector and URL of a method, the expression or iterator
 * of other elements, and the error.
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
function mayStandInSearched(elements: string, text: string): boolean {
  const together = foldedTogether(elements);
  if (together === null) return true;
  const { folded, unfolded: lines } = together;
  for (let at = folded.indexOf(text); at >= 0;) {
    const begin = lines.lastIndexOf('\n', at) + 1;
    const list = lines.indexOf(' [', begin) + 1;
    const found = textAt(lines, list, at);
    if (found !== null && isSearched(lines[begin] as ElementLine['kind'], found.place)) return true;
    at = folded.indexOf(text, found?.end ?? Math.max(at + 1, list));
  }
  return false;
}

/** Search criteria for logs; all that are given must match. */
export interface LogSearch {
  /** Contained in a name, label, connector, URL, condition, error or body, ignoring case. */
  readonly text?: string | null;
  readonly states?: readonly ElementStateName[] | null;
  readonly types?: readonly ElementTypeName[] | null;
  /** Id, index or name of a step. */
  readonly step?: string | null;
  /** Bounds for the start of the element: `from` is inclusive, `before` exclusive. */
  readonly from?: Date | null;
  readonly before?: Date | null;
}

/** Maximum characters of a search text. */
export const LONGEST_SEARCH = 200;

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
    needle === '' || mayStandInSearched(elements, asStored);
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

    lines({ begin, end, inBodies = false }: FoundElement): boolean {
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
        [
          ...searchedOf(begin.kind, texts),
          ...(end === null ? [] : searchedOf(end.kind, textsOf(end))),
        ].some((one) => fold(one).includes(needle))
      );
    },
    element: ({ state }: LogElement): boolean => !states || states.includes(state),
  };
}

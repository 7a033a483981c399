import { fold, foldedTogether } from '../../../platform/text/fold';
import type { ElementLine } from './element-line';
import type { ElementPart, FoundElement } from './element-scan';
import { BodySearch, endOfText } from './log-bodies';
import { stateOf } from './log-element';
import type { ElementStateName, ElementTypeName, LogElement } from './log-element';

/** Of the texts of a line, by its kind, the places of those that are not searched: the id, for which there is another condition, and what many have in common, as the verb. */
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

/** What is searched of the texts of a line: of a method name, label, connector and URL, of others what they go over, of all the error. */
const searchedOf = (kind: ElementLine['kind'], texts: readonly string[]): string[] =>
  texts.filter((_, place) => isSearched(kind, place));

/** The text of a list, which begins at a place, in which another place is. Null: it is between two of them. */
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
 * Whether anything that is searched of some lines may have a text in it: asked before they are read one by one.
 * @param text folded, as it stands in JSON
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

/** What is looked for in logs: all that is given must fit. */
export interface LogSearch {
  /** Stands in a name, label, connector, URL, condition, error or body, whatever its case. */
  readonly text?: string | null;
  readonly states?: readonly ElementStateName[] | null;
  readonly types?: readonly ElementTypeName[] | null;
  /** Id, index or name of a step. */
  readonly step?: string | null;
  /** When the element began: from, and before. */
  readonly from?: Date | null;
  readonly before?: Date | null;
}

/** Characters of what is looked for. */
export const LONGEST_SEARCH = 200;

/** A method that did not come out well, what could not be evaluated, or a loop, of which its own line does not tell. What was never ended is the last line of all, which is read in any case. */
const MAY_BE_INCOMPLETE = / (?:FAILED|CANCELLED) |^[LF] /m;

const TYPE_OF: Partial<Record<ElementLine['kind'], ElementTypeName>> = {
  S: 'OPERATION',
  I: 'IF',
  L: 'LOOP',
};
const typeOf = ({ kind, facts: [operator] }: ElementLine): ElementTypeName | undefined =>
  kind === 'F' ? (operator === 'if' ? 'IF' : 'LOOP') : TYPE_OF[kind];

const textsOf = ({ texts }: ElementLine): string[] => JSON.parse(texts) as string[];

/** Says of what stands in a log whether it is looked for, from its lines alone; the state is asked of what is left. */
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
    /** What is looked for in the bodies of requests and answers. Null: nothing. */
    bodies:
      needle === '' || (types && !types.includes('OPERATION'))
        ? null
        : new BodySearch((text ?? '').trim()),

    /** Whether anything in this part of a log may fit: most have nothing of that in them, and need not be read. */
    mayHold: ({ elements, inBodies }: ElementPart): boolean =>
      mayHoldState(elements) &&
      mayHoldStep(elements) &&
      ((inBodies?.size ?? 0) > 0 || mayHoldText(elements)),

    lines({ begin, end, inBodies = false }: FoundElement): boolean {
      const type = typeOf(begin);
      if (types && !(type !== undefined && types.includes(type))) return false;
      if ((from && begin.at < from.getTime()) || (before && begin.at >= before.getTime()))
        return false;
      // What has ended says how; of the rest, which is little, it is known when all is known of it.
      if (states && end !== null && !states.includes(stateOf(end))) return false;
      if (!step && needle === '') return true;
      const texts = textsOf(begin);
      // A condition and a loop have an id and no name.
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

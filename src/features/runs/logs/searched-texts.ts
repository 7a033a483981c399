import type { ElementLine } from './element-line';
import { foldedTogether } from '../../../platform/text/fold';
import { endOfText } from './log-bodies';

/** Of the texts of a line, by its kind, the places of those that are not searched: the id, for which there is another condition, and what many have in common, as the verb. */
const NOT_SEARCHED: Readonly<Record<ElementLine['kind'], readonly number[]>> = { S: [0, 4], s: [1], I: [0], L: [0], l: [], F: [0] };

const isSearched = (kind: ElementLine['kind'], place: number): boolean => !NOT_SEARCHED[kind].includes(place);

/** What is searched of the texts of a line: of a method name, label, connector and URL, of others what they go over, of all the error. */
export const searchedOf = (kind: ElementLine['kind'], texts: readonly string[]): string[] => texts.filter((_, place) => isSearched(kind, place));

/** The text of a list, which begins at a place, in which another place is. Null: it is between two of them. */
function textAt(lines: string, list: number, at: number): { readonly place: number; readonly end: number } | null {
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
export function mayStandInSearched(elements: string, text: string): boolean {
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

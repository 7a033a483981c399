import type { Steps, Turn } from '../../../platform/json/turns';
import { fold } from '../../../platform/text/fold';
import { everyText } from '../json';
import type { JsonObject } from '../json';

const MARK = '{%secret.';
/** What follows the mark, sticky: a name and the end of the reference. */
const NAME = /([A-Za-z][A-Za-z0-9_-]{0,63})%\}/y;

/** So many names a row holds: nobody has as many secrets, and a row must stay small. */
const MOST_NAMES = 10_000;

/** The names of all secrets that a document refers to as `{%secret.NAME%}`, folded, each once, in the order of their names. */
export function* secretNames(document: JsonObject, turn: Turn): Steps<string[]> {
  const names = new Set<string>();
  yield* everyText(document, (text) => {
    for (let at = text.indexOf(MARK); at >= 0; at = text.indexOf(MARK, at + MARK.length)) {
      NAME.lastIndex = at + MARK.length;
      const name = NAME.exec(text)?.[1];
      if (name !== undefined && names.size < MOST_NAMES) names.add(fold(name));
    }
  }, turn);
  return [...names].sort();
}

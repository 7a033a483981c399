import { inspect } from 'node:util';
import { inTurns } from '../../platform/json/turns';
import { isOnlyReferences, maskTreeInTurns } from '../../platform/secrets';

/** What one event may hold, so that a change of a huge document is still an event. */
const RULES = {
  depth: 12,
  values: 20_000,
  entries: 200,
  characters: 2_000,
  // A document of the store has at most 16 MiB.
  allCharacters: 1_000_000,
  describe: (value: object): unknown => inspect(value, { depth: 0 }),
  // They say where a value comes from, and not the value.
  shows: isOnlyReferences,
  // The store keeps UTF-8, which has no halves of characters; parts of workflows may have some.
  spell: (text: string): string => (text.isWellFormed() ? text : text.replace(/\p{Cs}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`)),
  // The store takes no leading `$` and no dots.
  rename: (name: string): string | null => (name === '__proto__' ? null : name.replace(/^\$/, '＄').replaceAll('.', '．')),
};

/** A copy of a document that is safe to keep: secrets masked, long texts and lists cut, names storable. Dates stay dates. */
export async function masked(document: object): Promise<Record<string, unknown>> {
  return await inTurns((turn) => maskTreeInTurns(document, RULES, turn)) as Record<string, unknown>;
}

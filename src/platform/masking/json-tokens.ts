import { MASK } from '../secrets';
import type { Span } from './spans';

/** Names and scalar values of a JSON text. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/g;

const HIDDEN = JSON.stringify(MASK);

/**
 * Hides matches in the names and values of a JSON text so that the result is valid JSON. A match
 * within a string is hidden there; a match that crosses tokens or is in a number hides each token
 * that it touches completely.
 * @param json valid JSON
 * @param matched matches in the whole text
 * @param hide hides matches within one string
 */
export function maskedJson(
  json: string,
  matched: readonly Span[],
  hide: (text: string) => string,
): string {
  const spans = matched
    .filter(({ start, end }) => end > start)
    .sort((one, other) => one.start - other.start);
  const pieces: string[] = [];
  let written = 0;
  let nth = 0;
  /** Largest end of the previous matches. */
  let reaches = 0;
  for (const { 0: token, index: start } of json.matchAll(TOKEN)) {
    const end = start + token.length;
    let beyond = reaches > start;
    let within = false;
    for (; nth < spans.length && (spans[nth]?.start ?? end) < end; nth += 1) {
      const span = spans[nth] ?? { start: end, end };
      if (span.end > start) {
        within = true;
        beyond ||= span.start <= start || span.end >= end;
      }
      reaches = Math.max(reaches, span.end);
    }
    pieces.push(json.slice(written, start), hiddenToken(token, { beyond, within }, hide));
    written = end;
  }
  return pieces.join('') + json.slice(written);
}

function hiddenToken(
  token: string,
  { beyond, within }: { readonly beyond: boolean; readonly within: boolean },
  hide: (text: string) => string,
): string {
  if (beyond) return HIDDEN;
  if (!token.startsWith('"')) return within || hide(token) !== token ? HIDDEN : token;
  const text = JSON.parse(token) as string;
  const hidden = hide(text);
  if (hidden !== text) return JSON.stringify(hidden);
  // Only the escaped form matches, not the decoded one.
  return within ? HIDDEN : token;
}

import { MASK } from '../secrets';
import type { Span } from './spans';

/** Names and plain values of a JSON text. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/g;

const HIDDEN = JSON.stringify(MASK);

/**
 * A JSON text with what patterns select hidden in its names and values, so that it stays JSON. What is selected within a text is hidden there; of
 * what goes beyond it, or stands in a number, each name and value that it touches is hidden whole.
 * @param json is JSON
 * @param matched what is selected in the whole of it
 * @param hide hides what is selected in one text
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
  /** The furthest end of those before. */
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
  // It is selected as it is written, and not as it is read.
  return within ? HIDDEN : token;
}

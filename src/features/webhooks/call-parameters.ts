import type { ValueMap } from '../../engine';
import type { CallBody } from './call-body';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** Maximum nesting of lists; a value with deeper nesting is text. */
const MAX_DEPTH = 50;

/**
 * Converts a query value written as a list, `[a,b,[1,2]]`, to JSON. Returns null if it is not a
 * list.
 * Numbers keep their digits, other elements become strings; valid JSON is returned unchanged.
 */
export function listText(value: string): string | null {
  if (!value.startsWith('[') || !value.endsWith(']')) return null;
  return isJson(value) ? value : looseList(value);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const elementText = (text: string): string =>
  NUMBER.test(text.trim()) ? text.trim() : JSON.stringify(text);

function looseList(value: string): string | null {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  /** True after `]`: no element may follow before the next comma. */
  let isClosed = false;
  const element = (to: number): boolean => {
    const text = value.slice(from, to);
    if (isClosed) return text.trim() === '';
    parts.push(elementText(text));
    return true;
  };
  for (let at = 0; at < value.length; at += 1) {
    const letter = value[at];
    if (letter === '[') {
      if (
        isClosed ||
        (depth === 0 && at > 0) ||
        value.slice(from, at).trim() !== '' ||
        depth === MAX_DEPTH
      )
        return null;
      parts.push('[');
      depth += 1;
      from = at + 1;
    } else if (letter === ',' || letter === ']') {
      const isEmpty = letter === ']' && parts.at(-1) === '[' && value.slice(from, at).trim() === '';
      if (depth === 0 || (!isEmpty && !element(at))) return null;
      parts.push(letter);
      if (letter === ']') depth -= 1;
      isClosed = letter === ']';
      from = at + 1;
    }
  }
  return depth === 0 ? parts.join('') : null;
}

export interface CallParameters {
  /** A JSON object with its numbers as they were sent. */
  readonly text: string;
  /** The parsed parameters, with numbers as doubles: for type checks only. */
  readonly values: ValueMap;
}

/** Query parameters: a string, or an array if the name occurs several times. */
export type CallQuery = Readonly<Record<string, string | readonly string[]>>;

/** As JSON; a value in brackets becomes a list. */
const queryValue = (value: string | readonly string[]): string =>
  typeof value === 'string' ? (listText(value) ?? JSON.stringify(value)) : JSON.stringify(value);

/**
 * Merges the parameters of body and query; the query wins. Appends the query to the JSON text of
 * the body, where the last of duplicate fields counts.
 */
export function callParameters(query: CallQuery, body: CallBody | null): CallParameters {
  const fields = Object.entries(query).map(
    ([name, value]) => `${JSON.stringify(name)}:${queryValue(value)}`,
  );
  const ofQuery = `{${fields.join(',')}}`;
  const values = JSON.parse(ofQuery) as ValueMap;
  if (body === null) return { text: ofQuery, values };
  const inner = body.text.trim().slice(1, -1).trim();
  const all = [...(inner === '' ? [] : [inner]), ...fields];
  return { text: `{${all.join(',')}}`, values: { ...body.values, ...values } };
}

import { randomBytes } from 'node:crypto';

/** Texts are matched only to step over them; an integer of 16 digits and more may not fit into a double. */
const TEXT_OR_LONG_INTEGER = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+])-?[1-9]\d{15,}(?![\d.eE])/g;
const LONG_INTEGER = /\d{16}/;

/**
 * `JSON.parse` that keeps integers beyond 2^53 exact, as bigint: an id must leave a workflow as it came in. Costs nothing when there are none.
 * @throws SyntaxError
 */
export function parseExactJson(text: string): unknown {
  if (!LONG_INTEGER.test(text)) return JSON.parse(text);
  const mark = newMark();
  const marked = text.replace(TEXT_OR_LONG_INTEGER, (token) => (token.startsWith('"') || isExact(token) ? token : `"${mark}${token}"`));
  return JSON.parse(marked, (_name, value: unknown) => (typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value));
}

/** `JSON.stringify` that writes a bigint as the number it is. */
export function printExactJson(value: unknown): string {
  let mark = '';
  const text = JSON.stringify(value, (_name, inner: unknown) => {
    if (typeof inner !== 'bigint') return inner;
    mark ||= newMark();
    return mark + String(inner);
  });
  return mark === '' ? text : text.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
}

const isExact = (digits: string): boolean => String(Number(digits)) === digits;

/** Nothing in a document can look like it by chance or by intent. */
const newMark = (): string => `exact:${randomBytes(12).toString('hex')}:`;

import { Cursor } from '../reference/cursor';
import { readMarkedReference, readWebhookParameter } from '../reference/parse-reference';
import type { Reference, WebhookParameter } from '../reference/reference';
import { syntaxError } from '../errors';

export type Token = { readonly offset: number } & (
  | { readonly kind: 'sign'; readonly text: string }
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'number'; readonly value: number | bigint }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'reference'; readonly reference: Reference }
  | { readonly kind: 'webhook'; readonly parameter: WebhookParameter }
  | { readonly kind: 'end' }
);

const BLANKS = /\s*/y;
/** Longest alternatives first. */
const SIGN = /\|\||&&|==|!=|<=|>=|[=<>!+\-*/%()[\],]/y;
const NUMBER = /(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
const PLAIN_TEXT = /[^"'\\]+/y;
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  '"': '"',
  "'": "'",
  '\\': '\\',
};

/** @throws ExpressionError */
export function tokenize(text: string): Token[] {
  const cursor = new Cursor(text);
  const tokens: Token[] = [];
  for (;;) {
    cursor.match(BLANKS);
    const token = readToken(cursor);
    tokens.push(token);
    if (token.kind === 'end') return tokens;
  }
}

function readToken(cursor: Cursor): Token {
  const offset = cursor.offset;
  if (cursor.done) return { kind: 'end', offset };
  if (cursor.at('{%')) return { kind: 'reference', reference: readMarkedReference(cursor), offset };
  if (cursor.at('${')) return { kind: 'webhook', parameter: readWebhookParameter(cursor), offset };
  if (cursor.at('"') || cursor.at("'")) return { kind: 'text', value: readText(cursor), offset };
  if (cursor.at('#')) throw cursor.error('a reference inside {% and %}');
  const number = cursor.match(NUMBER);
  if (number !== '')
    return { kind: 'number', value: numberOf(cursor.text, offset, number), offset };
  const word = cursor.match(WORD);
  if (word !== '') return { kind: 'word', text: word, offset };
  const sign = cursor.match(SIGN);
  if (sign !== '') return { kind: 'sign', text: sign, offset };
  throw cursor.error('an expression');
}

/** Integers with many digits, such as ids, stay exact. */
function numberOf(text: string, offset: number, digits: string): number | bigint {
  const value = Number(digits);
  if (/^\d{16,300}$/.test(digits) && String(value) !== digits) return BigInt(digits);
  if (!Number.isFinite(value))
    throw syntaxError(text, offset, 'a number within the range of a double', digits.slice(0, 40));
  return value;
}

function readText(cursor: Cursor): string {
  const quote = cursor.take('"') ? '"' : "'";
  if (quote === "'") cursor.expect("'");
  let value = '';
  for (;;) {
    value += cursor.match(PLAIN_TEXT);
    if (cursor.done) throw cursor.error(`the closing ${quote}`);
    if (cursor.take(quote)) return value;
    if (cursor.take('\\')) value += readEscape(cursor);
    else value += cursor.match(/["']/y);
  }
}

function readEscape(cursor: Cursor): string {
  if (cursor.take('u')) {
    const digits = cursor.match(/[0-9A-Fa-f]{4}/y);
    if (digits === '') throw cursor.error('four hexadecimal digits');
    return String.fromCharCode(parseInt(digits, 16));
  }
  const plain = ESCAPES[cursor.text.charAt(cursor.offset)];
  if (plain === undefined) throw cursor.error(String.raw`\" \' \\ \n \t or \uXXXX`);
  cursor.offset += 1;
  return plain;
}

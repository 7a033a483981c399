import { WEBHOOK_TYPES } from './reference';
import type { Reference, ReferencePart, Segment, WebhookParameter, WebhookType } from './reference';
import type { Cursor } from './cursor';

const COLOR = /#[0-9A-Fa-f]{6}/y;
const NAME = /[^.[\]~%{}]+/y;
/** Header names may contain dots. */
const HEADER_NAME = /[^[\]~%{};\s]+/y;
const WEBHOOK_NAME = /[^.[\]~%{}:]+/y;
const INTEGER = /\d{1,9}/y;
const ITERATOR = /[A-Za-z_][A-Za-z0-9_]*/y;
const WORD = /[A-Za-z]+/y;
const BLANKS = /\s*/y;
/** `.$` before a path or header name means the root and is ignored. */
const ROOT_MARK = /\.\s*\$(?=\s*(?:[.[]|%\}|$))/y;

const RESPONSE_PARTS: readonly ReferencePart[] = ['body', 'success', 'fail', 'header', 'status'];

/** Parses `{% target %}` at the cursor. */
export function readMarkedReference(cursor: Cursor): Reference {
  cursor.expect('{%');
  cursor.match(BLANKS);
  const reference = readTarget(cursor);
  cursor.match(BLANKS);
  cursor.expect('%}');
  return trimmed(reference);
}

/** Parses a bare target: `#RRGGBB.(response).body.a[0]`. */
export function readTarget(cursor: Cursor): Reference {
  const color = cursor.match(COLOR).toUpperCase();
  if (color === '') throw cursor.error('a colour like #AABBCC');
  cursor.expect('.');
  if (cursor.take('(request)'))
    return { color, part: 'request', header: null, segments: readPath(cursor) };
  if (!cursor.take('(response)')) throw cursor.error('"(request)" or "(response)"');
  cursor.expect('.');
  const part = readResponsePart(cursor);
  if (part === 'status') return { color, part, header: null, segments: [] };
  if (part === 'header')
    return { color, part, header: readHeaderName(cursor), segments: readHeaderValue(cursor) };
  return { color, part, header: null, segments: readPath(cursor) };
}

/** Parses `${name.path:type}` at the cursor. */
export function readWebhookParameter(cursor: Cursor): WebhookParameter {
  cursor.expect('${');
  const name = cursor.match(WEBHOOK_NAME);
  if (name === '') throw cursor.error('the name of a webhook parameter');
  const segments = readSegments(cursor, WEBHOOK_NAME);
  const type = cursor.take(':') ? readWebhookType(cursor) : null;
  cursor.expect('}');
  return { name, segments, type };
}

function readResponsePart(cursor: Cursor): ReferencePart {
  const start = cursor.offset;
  const word = cursor.match(WORD);
  const part = RESPONSE_PARTS.find((name) => name === word);
  if (part !== undefined) return part;
  cursor.offset = start;
  throw cursor.error('body, success, fail, header or status');
}

/** `.Name`, `.$.Name`, `['Name']` or `.$['Name']`. */
function readHeaderName(cursor: Cursor): string {
  cursor.match(ROOT_MARK);
  const isQuoted = cursor.take("['");
  if (!isQuoted) cursor.expect('.');
  const name = cursor.match(HEADER_NAME);
  if (name === '') throw cursor.error('the name of a header');
  if (!isQuoted) return name;
  const unquoted = name.replace(/'$/, '');
  if (unquoted === name || unquoted === '') throw cursor.error("the name of a header and '");
  cursor.expect(']');
  return unquoted;
}

/** Parses `[1]`, `[i]` or `[*]` after a header name: one of its values, or all. */
function readHeaderValue(cursor: Cursor): Segment[] {
  if (!cursor.at('[')) return [];
  const segment = readBracket(cursor);
  if (segment.kind === 'field' || segment.kind === 'key' || segment.label)
    throw cursor.error('the place of a header value, such as [0] or [*]');
  return [segment];
}

function readWebhookType(cursor: Cursor): WebhookType {
  const start = cursor.offset;
  const word = cursor.match(WORD);
  const type = WEBHOOK_TYPES.find((name) => name === word);
  if (type !== undefined) return type;
  cursor.offset = start;
  throw cursor.error(`a type (${WEBHOOK_TYPES.join(', ')})`);
}

function readPath(cursor: Cursor): Segment[] {
  cursor.match(ROOT_MARK);
  return readSegments(cursor, NAME);
}

function readSegments(cursor: Cursor, name: RegExp): Segment[] {
  const segments: Segment[] = [];
  for (;;) {
    if (cursor.at('[')) {
      segments.push(readBracket(cursor));
      continue;
    }
    if (!cursor.take('.')) return segments;
    // Released editors write `success.` for the whole body and `success.[*]` for all its elements.
    if (cursor.at('[')) continue;
    const field = cursor.match(name);
    if (field.trim() !== '') segments.push({ kind: 'field', name: field });
    else if (cursor.at('.')) throw cursor.error('a field name');
    else return segments;
  }
}

function readBracket(cursor: Cursor): Segment {
  cursor.expect('[');
  if (cursor.take("'")) {
    const key = cursor.until("']");
    return { kind: 'key', key, label: cursor.take('~') };
  }
  cursor.match(BLANKS);
  const inner = readInsideBracket(cursor);
  cursor.match(BLANKS);
  cursor.expect(']');
  return { ...inner, label: cursor.take('~') };
}

function readInsideBracket(cursor: Cursor): Exclude<Segment, { kind: 'field' }> {
  if (cursor.at(']') || cursor.take('*')) return { kind: 'all', label: false };
  const digits = cursor.match(INTEGER);
  if (digits !== '') return { kind: 'element', index: Number(digits), label: false };
  const iterator = cursor.match(ITERATOR);
  if (iterator !== '') return { kind: 'turn', iterator, label: false };
  throw cursor.error(`an index, a loop variable, "*" or "'key'"`);
}

/** Removes blanks before the closing mark; keeps those inside of names. */
function trimmed(reference: Reference): Reference {
  const last = reference.segments.at(-1);
  if (last?.kind !== 'field') return reference;
  return {
    ...reference,
    segments: [...reference.segments.slice(0, -1), { kind: 'field', name: last.name.trimEnd() }],
  };
}

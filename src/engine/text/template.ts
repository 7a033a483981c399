import { secretMarkAt } from '../../platform/secrets';
import { ExpressionError } from '../errors';
import { Cursor } from '../reference/cursor';
import {
  readMarkedReference,
  readTarget,
  readWebhookParameter,
} from '../reference/parse-reference';
import type { GivenSource, Reference, WebhookParameter } from '../reference/reference';
export type { GivenSource } from '../reference/reference';
import { resolveReference } from '../reference/resolve';
import type { Scope } from '../reference/scope';
import { toText } from '../value';
import type { Value } from '../value';

/** A placeholder in a workflow that is replaced by a value at run time. */
export type WrittenSource =
  | { readonly kind: 'reference'; readonly reference: Reference }
  | { readonly kind: 'webhook'; readonly parameter: WebhookParameter }
  | { readonly kind: 'secret'; readonly name: string }
  | GivenSource;

/** Also results of field binding scripts, by index within the step. */
export type Source = WrittenSource | { readonly kind: 'script'; readonly script: number };

/** Text with sources, parsed from the workflow only: inserted values are never parsed. */
export type Template = readonly (string | Source)[];

/** Text that starts like this is a reference or a syntax error; it is never sent as text. */
const BARE_TARGET = /^#(?:[0-9A-Fa-f]{6}\.\(|\w{1,12}\.\((?:request|response)\))/;
const REFERENCE_MARK = /\{%\s*#(?:[0-9A-Fa-f]{6}(?!\w)|\w{1,12}\.\()/y;
/** Quick check, since creating an error for each `${` would be slow. */
const WEBHOOK_MARK = /\$\{(?:[^{}']|'[^']*')*\}/y;
const MARK = /\{%|\$\{/g;
/** Separator of several sources of a field binding. */
const NEXT_TARGET = /;(?=#[0-9A-Fa-f]{6}\.\()/;

/**
 * Splits a text at its marks: `{%#RRGGBB.(…)…%}`, `{%secret.NAME%}` and `${…}`. Similar text such
 * as `{% if %}` or `${}` stays text.
 * @throws ExpressionError a mark starts like a reference but is invalid
 */
export function parseTemplate(text: string): readonly (string | WrittenSource)[] {
  const pieces: (string | WrittenSource)[] = [];
  let plainFrom = 0;
  MARK.lastIndex = 0;
  for (let mark = MARK.exec(text); mark !== null; mark = MARK.exec(text)) {
    const cursor = new Cursor(text, mark.index);
    const sources = mark[0] === '{%' ? readReferenceMark(cursor) : readWebhookMark(cursor);
    if (sources === null) continue;
    if (mark.index > plainFrom) pieces.push(text.slice(plainFrom, mark.index));
    pieces.push(...[sources].flat());
    plainFrom = cursor.offset;
    MARK.lastIndex = cursor.offset;
  }
  if (plainFrom < text.length) pieces.push(text.slice(plainFrom));
  return pieces;
}

/**
 * Returns the sources of a text that consists only of sources: one mark, one bare target, or
 * several bare targets joined with `;`. Returns null for other texts.
 * @throws ExpressionError
 */
export function soleSources(text: string): readonly WrittenSource[] | null {
  const trimmed = text.trim();
  if (BARE_TARGET.test(trimmed)) return trimmed.split(NEXT_TARGET).map(bareTarget);
  const pieces = parseTemplate(trimmed);
  const [only] = pieces;
  return pieces.length === 1 && typeof only !== 'string' ? [only] : null;
}

export const sourcesOf = (template: Template): Source[] =>
  template.filter((piece) => typeof piece !== 'string');

export function sourceValue(source: Source, scope: Scope): Value {
  switch (source.kind) {
    case 'reference':
      return resolveReference(source.reference, scope);
    case 'webhook':
      return scope.webhookParameter(source.parameter);
    case 'secret':
      return scope.secret(source.name);
    case 'script':
      return scope.scriptResult(source.script);
    case 'given':
      return scope.given(source);
  }
}

/** Encodes values written into a text; gets all text and values in order. */
export interface ValueWriter {
  /** Text between values. */
  pass(text: string): void;
  /** @returns the encoded value */
  write(value: string): string;
}

export const AS_IT_IS: ValueWriter = { pass: () => undefined, write: (value) => value };

export function renderText(
  template: Template,
  scope: Scope,
  writer: ValueWriter = AS_IT_IS,
): string {
  return template
    .map((piece) => {
      if (typeof piece !== 'string') return writer.write(toText(sourceValue(piece, scope)));
      writer.pass(piece);
      return piece;
    })
    .join('');
}

/** Returns the names of the secrets among the sources. */
export const secretsAmong = (sources: readonly Source[]): string[] =>
  sources.flatMap((source) => (source.kind === 'secret' ? [source.name] : []));

function readReferenceMark(cursor: Cursor): WrittenSource | WrittenSource[] | null {
  const secret = secretMarkAt(cursor.text, cursor.offset);
  if (secret !== null) {
    cursor.offset = secret.end;
    return { kind: 'secret', name: secret.name };
  }
  REFERENCE_MARK.lastIndex = cursor.offset;
  if (!REFERENCE_MARK.test(cursor.text)) return null;
  return severalTargets(cursor) ?? { kind: 'reference', reference: readMarkedReference(cursor) };
}

/** Parses one mark with several targets of a field binding, as in URLs and headers. */
function severalTargets(cursor: Cursor): WrittenSource[] | null {
  const end = cursor.text.indexOf('%}', cursor.offset);
  const inside = cursor.text.slice(cursor.offset + 2, end).trim();
  if (end < 0 || !NEXT_TARGET.test(inside)) return null;
  cursor.offset = end + 2;
  return inside.split(NEXT_TARGET).map((target) => bareTarget(target.trim()));
}

function readWebhookMark(cursor: Cursor): WrittenSource | null {
  WEBHOOK_MARK.lastIndex = cursor.offset;
  if (!WEBHOOK_MARK.test(cursor.text)) return null;
  try {
    return { kind: 'webhook', parameter: readWebhookParameter(cursor) };
  } catch (error) {
    if (error instanceof ExpressionError) return null;
    throw error;
  }
}

function bareTarget(text: string): WrittenSource {
  const cursor = new Cursor(text);
  const reference = readTarget(cursor);
  if (!cursor.done) throw cursor.error('the end of the reference');
  return { kind: 'reference', reference };
}

import { EngineError } from '../errors';
import { withSecrets } from '../reference/scope';
import type { Scope } from '../reference/scope';
import type { BodyDoc } from '../snapshot';
import { renderText } from '../text/template';
import type { ValueWriter } from '../text/template';
import { isList, isMap, toJson, toText } from '../value';
import type { Steps, Turn } from '../turns';
import type { Value } from '../value';
import { bodyFormat } from './body-format';
import type { BodyFormat } from './body-format';
import { compileBody, renderBody } from './body-tree';
import type { BodyNode } from './body-tree';
import { plainQuery, QueryWriter } from './graphql-query';
import { writeXmlBody } from './xml-body';
import { XmlTextWriter } from './xml-text';
import { Cursor } from '../reference/cursor';
import { NumberTooLarge, parseExactJson } from '../exact-json';

const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"?/sy;
/** Both stop at the next brace, so a text full of openings is still read in one go. */
const REFERENCE = /\{%\s*(?:#(?:[^'%{}]|'[^']*')*|secret\.[^{}%]*)%\}/iy;
const WEBHOOK = /\$\{[^{}"]*\}/y;
const PLAIN = /[^"{$]+/y;

/**
 * Reads a body that was written as JSON text with marks in it. Marks inside a JSON text stay there; a mark that stands where a value would
 * stand is put between quotes, so that it becomes a field that is one reference. Escaping then happens on the tree, never on the text.
 * @throws EngineError REQUEST_BODY_INVALID
 */
export function readJsonText(text: string): unknown {
  const cursor = new Cursor(text);
  let quoted = '';
  while (!cursor.done) {
    const plain = cursor.match(PLAIN) || cursor.match(STRING);
    const mark = plain === '' ? cursor.match(REFERENCE) || cursor.match(WEBHOOK) : '';
    quoted += plain !== '' ? plain : mark !== '' ? JSON.stringify(mark) : cursor.match(/./sy);
  }
  try {
    return parseExactJson(quoted);
  } catch (error) {
    throw new EngineError(
      'REQUEST_BODY_INVALID',
      error instanceof NumberTooLarge
        ? 'The body holds a number that would be rounded or lost.'
        : 'The body is not JSON.',
    );
  }
}

export interface BodyTemplate {
  /** As the workflow names it; a Content-Type header may say otherwise. */
  readonly format: string | null;
  /** What editors say it is: `raw`, `graphql`, `form-data`. */
  readonly data: string | null;
  readonly graphql: boolean;
  readonly tree: BodyNode;
  /** A form of this system has its fields as JSON in one. */
  readonly isFormOfJson?: boolean;
  /** Nothing is in it, so verbs that usually have no body are sent without one. */
  readonly empty: boolean;
}

/** Null when the workflow defines no body. */
export function* compileBodyDoc(
  body: BodyDoc | null | undefined,
  contentType: string | undefined,
  turn: Turn,
): Steps<BodyTemplate | null> {
  const fields = body?.fields;
  if (body === null || body === undefined || fields === null || fields === undefined) return null;
  return {
    format: body.format ?? null,
    data: body.data ?? null,
    graphql: body.data?.toLowerCase() === 'graphql',
    tree: yield* compileBody(
      treeOf(body, fields, bodyFormat(contentType, body.format, body.data)),
      turn,
    ),
    empty:
      typeof fields === 'string'
        ? fields.trim() === ''
        : typeof fields === 'object' && Object.keys(fields).length === 0,
  };
}

/**
 * The body with its values, as it is written. In a form or XML that is written as one text, values are escaped for it here; those of a tree
 * are by whoever writes the tree.
 */
export function renderBodyValue(body: BodyTemplate, format: BodyFormat, scope: Scope): Value {
  const value = bodyValue(body.tree, WRITERS[format]?.(), scope);
  return body.graphql ? withPlainQuery(withQuery(value, body.tree, scope)) : value;
}

/** A query that is written with values in it: they are escaped for their place in it. */
function withQuery(value: Value, tree: BodyNode, scope: Scope): Value {
  const query =
    tree.kind === 'map' ? tree.fields.find(([name]) => name === 'query')?.[1] : undefined;
  return isMap(value) && query?.kind === 'text'
    ? { ...value, query: renderText(query.template, scope, new QueryWriter()) }
    : value;
}

/** A GraphQL query is sent without its line breaks. */
export function withPlainQuery(value: Value): Value {
  if (!isMap(value) || typeof value.query !== 'string') return value;
  return { ...value, query: plainQuery(value.query) };
}

function bodyValue(tree: BodyNode, writer: ValueWriter | undefined, scope: Scope): Value {
  if (writer === undefined) return renderBody(tree, scope);
  if (tree.kind === 'text') return renderText(tree.template, scope, writer);
  // A reference may be the whole text, as somebody else wrote it; a secret never is.
  return renderBody(
    tree,
    tree.kind === 'source' ? withSecrets(scope, (name) => writer.write(scope.secret(name))) : scope,
  );
}

/** How values are written into a text of these formats. */
const WRITERS: Partial<Record<BodyFormat, () => ValueWriter>> = {
  form: () => ({
    pass: () => undefined,
    write: (value) => new URLSearchParams([['', value]]).toString().slice(1),
  }),
  xml: () => new XmlTextWriter(),
};

/**
 * The body as it is sent.
 * @throws EngineError REQUEST_BODY_INVALID for a form that is no set of fields, or what cannot be XML; VALUE_TOO_LARGE
 */
export function writeBody(value: Value, format: BodyFormat, isFormOfJson = false): string {
  switch (format) {
    case 'json':
      return toJson(value);
    case 'text':
    case 'multipart':
      return toText(value);
    case 'form':
      return isFormOfJson && typeof value !== 'string'
        ? writeForm({ request: toJson(value) })
        : writeForm(value);
    case 'xml':
      return typeof value === 'string' ? value : writeXmlBody(value);
  }
}

/** A list becomes one field per element. */
function writeForm(value: Value): string {
  if (typeof value === 'string') return value;
  if (!isMap(value))
    throw new EngineError('REQUEST_BODY_INVALID', 'A form needs fields with names.');
  const form = new URLSearchParams();
  for (const [name, field] of Object.entries(value)) {
    for (const entry of isList(field) ? field : [field]) form.append(name, toText(entry));
  }
  return form.toString();
}

/** A body written as text is read as JSON when it is to be JSON; the type `array` makes a list of whatever is no list. */
function treeOf(body: BodyDoc, fields: unknown, format: BodyFormat): unknown {
  const tree =
    typeof fields === 'string' && format === 'json' && body.type?.toLowerCase() !== 'string'
      ? jsonTree(fields)
      : fields;
  return body.type?.toLowerCase() === 'array' && typeof tree === 'object' && !Array.isArray(tree)
    ? [tree]
    : tree;
}

/** Text that begins like JSON has to be JSON; a single mark or any other text is a value of its own. */
function jsonTree(text: string): unknown {
  return /^\s*(?:\[|\{(?!%))/.test(text) ? readJsonText(text) : text;
}

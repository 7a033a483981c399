import { EngineError } from '../errors';
import { withSecrets } from '../reference/scope';
import type { Scope } from '../reference/scope';
import type { BodyDoc } from '../snapshot';
import { renderText } from '../text/template';
import type { ValueWriter } from '../text/template';
import { isList, isMap, toJson, toText } from '../value';
import type { Value } from '../value';
import { bodyFormat } from './body-format';
import type { BodyFormat } from './body-format';
import { compileBody, renderBody } from './body-tree';
import type { BodyNode } from './body-tree';
import { plainQuery, QueryWriter } from './graphql-query';
import { writeXmlBody, XmlTextWriter } from './xml-body';
import { Cursor } from '../reference/cursor';
import { NumberTooLarge, parseExactJson } from '../exact-json';

const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"?/sy;
/** Both stop at the next brace, so that the time stays linear. */
const REFERENCE = /\{%\s*(?:#(?:[^'%{}]|'[^']*')*|secret\.[^{}%]*)%\}/iy;
const WEBHOOK = /\$\{[^{}"]*\}/y;
const PLAIN = /[^"{$]+/y;

/**
 * Parses a JSON body with marks. Quotes marks that stand in place of a value, so that they become
 * fields with one reference. Escaping happens on the parsed tree, never on the text.
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
  /** Format in the workflow; the Content-Type header has precedence. */
  readonly format: string | null;
  /** Kind according to the editor: `raw`, `graphql`, `form-data`. */
  readonly data: string | null;
  readonly graphql: boolean;
  readonly tree: BodyNode;
  /** Forms of this system contain all fields as JSON in one field. */
  readonly isFormOfJson?: boolean;
  /** Empty: methods that usually have no body send none. */
  readonly empty: boolean;
}

/** Returns null if the workflow defines no body. */
export function compileBodyDoc(
  body: BodyDoc | null | undefined,
  contentType: string | undefined,
): BodyTemplate | null {
  const fields = body?.fields;
  if (body === null || body === undefined || fields === null || fields === undefined) return null;
  return {
    format: body.format ?? null,
    data: body.data ?? null,
    graphql: body.data?.toLowerCase() === 'graphql',
    tree: compileBody(treeOf(body, fields, bodyFormat(contentType, body.format, body.data))),
    empty:
      typeof fields === 'string'
        ? fields.trim() === ''
        : typeof fields === 'object' && Object.keys(fields).length === 0,
  };
}

/**
 * Renders the body. In a form or XML document written as one text, values are escaped here; in a
 * tree, the serializer escapes them.
 */
export function renderBodyValue(body: BodyTemplate, format: BodyFormat, scope: Scope): Value {
  const value = bodyValue(body.tree, WRITERS[format]?.(), scope);
  return body.graphql ? withPlainQuery(withQuery(value, body.tree, scope)) : value;
}

/** Escapes values in a GraphQL query for their position. */
function withQuery(value: Value, tree: BodyNode, scope: Scope): Value {
  const query =
    tree.kind === 'map' ? tree.fields.find(([name]) => name === 'query')?.[1] : undefined;
  return isMap(value) && query?.kind === 'text'
    ? { ...value, query: renderText(query.template, scope, new QueryWriter()) }
    : value;
}

/** Removes line breaks from a GraphQL query. */
export function withPlainQuery(value: Value): Value {
  if (!isMap(value) || typeof value.query !== 'string') return value;
  return { ...value, query: plainQuery(value.query) };
}

function bodyValue(tree: BodyNode, writer: ValueWriter | undefined, scope: Scope): Value {
  if (writer === undefined) return renderBody(tree, scope);
  if (tree.kind === 'text') return renderText(tree.template, scope, writer);
  // If a reference is the whole text, its value is used unescaped; secrets are always escaped.
  return renderBody(
    tree,
    tree.kind === 'source' ? withSecrets(scope, (name) => writer.write(scope.secret(name))) : scope,
  );
}

/** Escaping of values in a text of these formats. */
const WRITERS: Partial<Record<BodyFormat, () => ValueWriter>> = {
  form: () => ({
    pass: () => undefined,
    write: (value) => new URLSearchParams([['', value]]).toString().slice(1),
  }),
  xml: () => new XmlTextWriter(),
};

/**
 * Serializes the body.
 * @throws EngineError REQUEST_BODY_INVALID a form without fields, or not representable in XML;
 *   VALUE_TOO_LARGE
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

/** Repeats the field for each element of a list. */
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

/** Parses a text body if the format is JSON; the type `array` wraps anything else in a list. */
function treeOf(body: BodyDoc, fields: unknown, format: BodyFormat): unknown {
  const tree =
    typeof fields === 'string' && format === 'json' && body.type?.toLowerCase() !== 'string'
      ? jsonTree(fields)
      : fields;
  return body.type?.toLowerCase() === 'array' && typeof tree === 'object' && !Array.isArray(tree)
    ? [tree]
    : tree;
}

/** Text that starts like JSON must be JSON; a single mark or other text is a value. */
function jsonTree(text: string): unknown {
  return /^\s*(?:\[|\{(?!%))/.test(text) ? readJsonText(text) : text;
}

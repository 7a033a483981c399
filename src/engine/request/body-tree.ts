import { usesSecret } from '../../platform/secrets';
import { EngineError } from '../errors';
import type { Scope } from '../reference/scope';
import { parseTemplate, renderText, soleSources, sourcesOf, sourceValue } from '../text/template';
import type { Source, Template } from '../text/template';
import { isList, isMap, setField } from '../value';
import type { Value } from '../value';

/** The body of a request with its sources found. */
export type BodyNode =
  | { readonly kind: 'literal'; readonly value: Value }
  /** A field with one source; keeps the type of the value unless `shape` requires another one. */
  | { readonly kind: 'source'; readonly source: Source; readonly shape?: Shape }
  /** Several sources that a field binding combines into one value. */
  | { readonly kind: 'combined'; readonly sources: readonly Source[] }
  | { readonly kind: 'text'; readonly template: Template }
  | { readonly kind: 'list'; readonly items: readonly BodyNode[] }
  | { readonly kind: 'map'; readonly fields: readonly (readonly [string, BodyNode])[] };

/** Required type of a field. */
type Shape = 'list' | 'map';

const MAX_DEPTH = 200;

/**
 * @throws ExpressionError invalid reference in a mark
 * @throws EngineError REQUEST_BODY_INVALID nested too deeply, SECRET_NOT_ALLOWED_HERE secret in the
 *   name of a field
 */
export function compileBody(fields: unknown, depth = 0): BodyNode {
  if (depth > MAX_DEPTH)
    throw new EngineError(
      'REQUEST_BODY_INVALID',
      `The body is nested deeper than ${MAX_DEPTH} levels.`,
    );
  if (Array.isArray(fields)) {
    const items: BodyNode[] = (fields as unknown[]).map((item) =>
      isTree(item) ? compileBody(item, depth + 1) : leaf(item),
    );
    return { kind: 'list', items };
  }
  if (!isTree(fields)) return leaf(fields);
  const entries: (readonly [string, BodyNode])[] = Object.entries(fields).map(([name, value]) => [
    fieldName(name),
    isTree(value) ? compileBody(value, depth + 1) : leaf(value),
  ]);
  return { kind: 'map', fields: entries };
}

const isTree = (fields: unknown): fields is object => typeof fields === 'object' && fields !== null;

function leaf(value: unknown): BodyNode {
  if (typeof value === 'string') return compileText(value);
  return {
    kind: 'literal',
    value:
      typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
        ? value
        : null,
  };
}

/** Returns the value to send; nothing in it is evaluated again. */
export function renderBody(node: BodyNode, scope: Scope): Value {
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'source':
      return inShape(sourceValue(node.source, scope), node.shape);
    case 'combined':
      throw new EngineError(
        'BINDING_NOT_FOUND',
        'A body field combines several references, and no field binding says how.',
      );
    case 'text':
      return renderText(node.template, scope);
    case 'list':
      return node.items.map((item) => renderBody(item, scope));
    case 'map': {
      const map: Record<string, Value> = {};
      for (const [name, value] of node.fields) setField(map, name, renderBody(value, scope));
      return map;
    }
  }
}

/** Converts to the shape; null stays null, since an empty list would mean that there is one. */
function inShape(value: Value, shape: Shape | undefined): Value {
  if (value === null) return value;
  if (shape === 'list') return isList(value) ? value : [value];
  return shape === 'map' && !isMap(value) ? { value } : value;
}

export function bodySources(node: BodyNode, into: Source[] = []): Source[] {
  switch (node.kind) {
    case 'literal':
      break;
    case 'source':
      into.push(node.source);
      break;
    case 'combined':
      for (const source of node.sources) into.push(source);
      break;
    case 'text':
      for (const source of sourcesOf(node.template)) into.push(source);
      break;
    case 'list':
      for (const item of node.items) bodySources(item, into);
      break;
    case 'map':
      for (const [, value] of node.fields) bodySources(value, into);
      break;
  }
  return into;
}

function fieldName(name: string): string {
  if (usesSecret(name))
    throw new EngineError('SECRET_NOT_ALLOWED_HERE', 'The name of a body field uses a secret.');
  return name;
}

function compileText(text: string): BodyNode {
  const sources = soleSources(text);
  if (sources !== null)
    return sources.length === 1
      ? { kind: 'source', source: sources[0] }
      : { kind: 'combined', sources };
  const template = parseTemplate(text);
  return sourcesOf(template).length === 0
    ? { kind: 'literal', value: text }
    : { kind: 'text', template };
}

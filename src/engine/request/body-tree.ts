import { usesSecret } from '../../platform/secrets';
import { EngineError } from '../errors';
import type { Scope } from '../reference/scope';
import { parseTemplate, renderText, soleSources, sourcesOf, sourceValue } from '../text/template';
import type { Source, Template } from '../text/template';
import type { Value } from '../value';

/** The body of a request with its sources found. */
export type BodyNode =
  | { readonly kind: 'literal'; readonly value: null | boolean | number | string }
  /** A field that is one source: it keeps the type of the value. */
  | { readonly kind: 'source'; readonly source: Source }
  /** Several sources need a script to become one value. */
  | { readonly kind: 'combined'; readonly sources: readonly Source[] }
  | { readonly kind: 'text'; readonly template: Template }
  | { readonly kind: 'list'; readonly items: readonly BodyNode[] }
  | { readonly kind: 'map'; readonly fields: readonly (readonly [string, BodyNode])[] };

const MAX_DEPTH = 200;

/**
 * @throws ExpressionError a mark that is no reference
 * @throws EngineError REQUEST_BODY_INVALID when the body is nested too deeply, SECRET_NOT_ALLOWED_HERE for one in the name of a field
 */
export function compileBody(fields: unknown, depth = 0): BodyNode {
  if (depth > MAX_DEPTH) throw new EngineError('REQUEST_BODY_INVALID', `The body is nested deeper than ${MAX_DEPTH} levels.`);
  if (typeof fields === 'string') return compileText(fields);
  if (Array.isArray(fields)) return { kind: 'list', items: fields.map((item) => compileBody(item, depth + 1)) };
  if (typeof fields === 'object' && fields !== null) {
    return { kind: 'map', fields: Object.entries(fields).map(([name, value]) => [fieldName(name), compileBody(value, depth + 1)] as const) };
  }
  return { kind: 'literal', value: typeof fields === 'number' || typeof fields === 'boolean' ? fields : null };
}

/** The value to send; nothing in it is evaluated again. */
export function renderBody(node: BodyNode, scope: Scope): Value {
  switch (node.kind) {
    case 'literal': return node.value;
    case 'source': return sourceValue(node.source, scope);
    case 'combined': throw new EngineError('SCRIPT_NOT_AVAILABLE', 'A body field combines several references, which needs a script; scripts are not available yet.');
    case 'text': return renderText(node.template, scope);
    case 'list': return node.items.map((item) => renderBody(item, scope));
    case 'map': return Object.fromEntries(node.fields.map(([name, value]) => [name, renderBody(value, scope)]));
  }
}

export function bodySources(node: BodyNode): Source[] {
  switch (node.kind) {
    case 'literal': return [];
    case 'source': return [node.source];
    case 'combined': return [...node.sources];
    case 'text': return sourcesOf(node.template);
    case 'list': return node.items.flatMap(bodySources);
    case 'map': return node.fields.flatMap(([, value]) => bodySources(value));
  }
}

function fieldName(name: string): string {
  if (usesSecret(name)) throw new EngineError('SECRET_NOT_ALLOWED_HERE', 'The name of a body field uses a secret.');
  return name;
}

function compileText(text: string): BodyNode {
  const sources = soleSources(text);
  if (sources !== null) return sources.length === 1 ? { kind: 'source', source: sources[0] } : { kind: 'combined', sources };
  const template = parseTemplate(text);
  return sourcesOf(template).length === 0 ? { kind: 'literal', value: text } : { kind: 'text', template };
}

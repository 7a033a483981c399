import { isList, isMap } from '../value';
import type { Value } from '../value';
import type { Reference } from './reference';
import { followPath } from './path';
import { followXmlPath } from './xml-path';
import { isFailure } from './scope';
import type { Exchange, Scope } from './scope';
import { inXmlTree } from './xml-marks';
import type { XmlTree } from './xml-marks';

/**
 * Returns the value of a reference, or null, which is reported to the scope.
 * @param asList treat a single XML element as a list of one
 */
export function resolveReference(reference: Reference, scope: Scope, asList = false): Value {
  const value = findReference(reference, scope, asList);
  if (value === null) scope.onEmpty?.(reference);
  return value;
}

/** The same for readers that expect null. */
export function findReference(reference: Reference, scope: Scope, asList = false): Value {
  const exchange = scope.exchange(reference.color);
  if (exchange === undefined) return null;
  if (reference.part === 'status') return exchange.status;
  if (reference.part === 'header') return headerOf(exchange, reference, scope);
  const body = bodyOf(exchange, reference);
  if (exchange.xml === undefined || reference.part === 'request' || reference.segments.length === 0)
    return followBody(body, reference, scope, exchange.sentXml === true);
  return body === null ? null : followXmlPath(exchange.xml, reference.segments, scope, asList);
}

/**
 * Follows a path in a body. A request sent as XML has XML marks in its fields, and its root may be
 * omitted. The 5.x editor prefixes request fields with `body.`, which is ignored unless the body
 * has such a field (docs/adr/0009).
 */
function followBody(
  body: Value,
  { part, segments }: Reference,
  scope: Scope,
  sentXml: boolean,
): Value {
  const inner = followPath(body, segments, scope);
  if (inner !== null || part !== 'request') return inner;
  const inXml = sentXml ? followPath(body, inXmlTree(treeOf(body), segments), scope) : null;
  if (inXml !== null) return inXml;
  const [first, ...rest] = segments;
  if (
    first?.kind !== 'field' ||
    first.name !== 'body' ||
    (isMap(body) && Object.hasOwn(body, 'body'))
  )
    return null;
  const inBody = followPath(body, rest, scope);
  return inBody === null && sentXml
    ? followPath(body, inXmlTree(treeOf(body), rest), scope)
    : inBody;
}

const treeOf = (value: Value): XmlTree => ({
  names: isMap(value) ? Object.keys(value) : null,
  field: (name) => (isMap(value) && Object.hasOwn(value, name) ? treeOf(value[name]) : undefined),
  item: (position) =>
    isList(value) && position < value.length ? treeOf(value[position]) : undefined,
});

/** `success` is null for a failed response, `fail` for a successful one. */
function bodyOf(exchange: Exchange, reference: Reference): Value {
  switch (reference.part) {
    case 'request':
      return exchange.request;
    case 'success':
      return isFailure(exchange) ? null : exchange.body;
    case 'fail':
      return isFailure(exchange) ? exchange.body : null;
    default:
      return exchange.body;
  }
}

/** Joins repeated headers as HTTP allows, except cookies (a list). A position selects one value. */
function headerOf(exchange: Exchange, { header, segments }: Reference, scope: Scope): Value {
  const lower = (header ?? '').toLowerCase();
  const value = Object.hasOwn(exchange.headers, lower) ? exchange.headers[lower] : undefined;
  if (value === undefined) return null;
  if (segments.length > 0) return followPath(isList(value) ? value : [value], segments, scope);
  if (!isList(value)) return value;
  if (value.length === 1) return value[0];
  return lower === 'set-cookie' ? value : value.join(', ');
}

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
 * The value a reference stands for; null when there is nothing.
 * @param asList for who goes over it: a single element of XML is a list of one
 */
export function resolveReference(reference: Reference, scope: Scope, asList = false): Value {
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
 * What was sent as XML has the marks of XML in its fields, and may be read without its root. The 5.x editor writes `body.` in front of a field of a
 * request; that names the body itself unless the body has a field `body` (docs/adr/0091-files-of-released-installations.md).
 */
function followBody(
  body: Value,
  { part, segments }: Reference,
  scope: Scope,
  sentXml: boolean,
): Value {
  const found = followPath(body, segments, scope);
  if (found !== null || part !== 'request') return found;
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

/** `success` is the body of an answer that succeeded, `fail` of one that failed; the other one is null. */
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

/** Several headers of one name become one text, as HTTP allows; only cookies cannot be joined and stay a list. A place behind the name reads one value. */
function headerOf(exchange: Exchange, { header, segments }: Reference, scope: Scope): Value {
  const lower = (header ?? '').toLowerCase();
  const value = Object.hasOwn(exchange.headers, lower) ? exchange.headers[lower] : undefined;
  if (value === undefined) return null;
  if (segments.length > 0) return followPath(isList(value) ? value : [value], segments, scope);
  if (!isList(value)) return value;
  if (value.length === 1) return value[0];
  return lower === 'set-cookie' ? value : value.join(', ');
}

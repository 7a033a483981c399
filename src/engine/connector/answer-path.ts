import { isList, isMap, ownField } from '../value';
import type { Value } from '../value';
import { localName, ownText } from '../../platform/xml/read-xml';
import type { XmlElement } from '../../platform/xml/read-xml';
import type { XmlNode } from '../../platform/xml/write-xml';
import { writeXml } from '../../platform/xml/write-xml';

type Parts = readonly (string | number)[];

const isNamed = (name: string, expected: string | number): boolean =>
  name === expected || localName(name) === expected;

/** The path may include or omit the root element. */
const insideOf = (root: XmlElement, [first, ...rest]: Parts): Parts =>
  first !== undefined && isNamed(root.name, first)
    ? rest
    : [...(first === undefined ? [] : [first]), ...rest];

/** Returns the elements at a path of element names and positions among elements of one name. */
export function elementsAt(root: XmlElement, parts: Parts): readonly XmlElement[] {
  let elements: readonly XmlElement[] = [root];
  for (const part of insideOf(root, parts)) {
    elements =
      typeof part === 'number'
        ? elements.slice(part, part + 1)
        : elements.flatMap(({ children }) => children.filter(({ name }) => isNamed(name, part)));
  }
  return elements;
}

/** Returns the text of the first element, or its attribute if the path ends with `@name`. */
export function textAt(root: XmlElement, parts: Parts): string | undefined {
  const last = parts.at(-1);
  if (typeof last !== 'string' || !last.startsWith('@'))
    return elementsAt(root, parts)[0]?.text.trim();
  const attributes = Object.entries(elementsAt(root, parts.slice(0, -1))[0]?.attributes ?? {});
  return attributes.find(([name]) => isNamed(name, last.slice(1)))?.[1];
}

/**
 * Returns the document with these elements in place of those at the path; if there are none,
 * appends them to the parent, which is created if missing.
 */
export function withElementsAt(
  root: XmlElement,
  parts: Parts,
  elements: readonly XmlElement[],
): XmlElement {
  const steps = insideOf(root, parts).filter((part) => typeof part === 'string');
  return steps.length === 0 ? root : replaced(root, steps, elements);
}

function replaced(
  parent: XmlElement,
  [name = '', ...rest]: readonly string[],
  elements: readonly XmlElement[],
): XmlElement {
  const { children } = parent;
  const first = children.findIndex((child) => isNamed(child.name, name));
  if (rest.length > 0) {
    const inner = replaced(
      children[first] ?? { ...parent, name, attributes: {}, children: [], text: '' },
      rest,
      elements,
    );
    return { ...parent, children: first < 0 ? [...children, inner] : children.with(first, inner) };
  }
  const at = first < 0 ? children.length : first;
  const isOther = (child: XmlElement): boolean => !isNamed(child.name, name);
  return {
    ...parent,
    children: [
      ...children.slice(0, at).filter(isOther),
      ...elements,
      ...children.slice(at).filter(isOther),
    ],
  };
}

/** Serializes a parsed document. */
export const xmlTextOf = (root: XmlElement): string => writeXml(nodeOf(root));

const nodeOf = ({ name, attributes, children, text }: XmlElement): XmlNode => ({
  name,
  attributes,
  text: ownText({ children, text }),
  children: children.map(nodeOf),
});

/** An index in brackets, a quoted name in brackets, or a plain name. */
const PART = /\[(\d+)\]|\['([^']*)'\]|\["([^"]*)"\]|[^.[\]]+/g;

/**
 * Splits a response path of an invoker: `$.x.y[0].z` or `$['@odata.nextLink']`; `$` is optional.
 */
export const partsOf = (path: string): (string | number)[] =>
  [...path.replace(/^\$\.?/, '').matchAll(PART)].map(([name, position, single, double]) =>
    position === undefined ? (single ?? double ?? name) : Number(position),
  );

/** Returns the value at the path, or undefined. */
export function valueAt(value: Value, parts: readonly (string | number)[]): Value | undefined {
  let inner: Value | undefined = value;
  for (const part of parts) {
    if (inner === undefined || (!isList(inner) && !isMap(inner))) return undefined;
    inner = isList(inner) ? inner[Number(part)] : ownField(inner, String(part));
  }
  return inner;
}

/** Returns a copy with another value at the path; creates missing objects. */
export function withValueAt(
  value: Value,
  [part, ...rest]: readonly (string | number)[],
  put: Value,
): Value {
  if (part === undefined) return put;
  if (isList(value))
    return value.map((item, index) =>
      index === Number(part) ? withValueAt(item, rest, put) : item,
    );
  if (!isMap(value)) return value === null ? { [part]: withValueAt(null, rest, put) } : value;
  return { ...value, [part]: withValueAt(ownField(value, String(part)) ?? null, rest, put) };
}

import { localName } from '../../platform/xml/local-name';
import type { XmlElement } from '../../platform/xml/read-xml';
import { ownText } from '../../platform/xml/own-text';
import type { XmlNode } from '../../platform/xml/write-xml';
import { writeXml } from '../../platform/xml/write-xml';

type Parts = readonly (string | number)[];

const isNamed = (name: string, wanted: string | number): boolean =>
  name === wanted || localName(name) === wanted;

/** The path may include or omit the root element. */
const insideOf = (root: XmlElement, [first, ...rest]: Parts): Parts =>
  first !== undefined && isNamed(root.name, first)
    ? rest
    : [...(first === undefined ? [] : [first]), ...rest];

/** Returns the elements at a path of element names and positions among elements of one name. */
export function elementsAt(root: XmlElement, parts: Parts): readonly XmlElement[] {
  let found: readonly XmlElement[] = [root];
  for (const part of insideOf(root, parts)) {
    found =
      typeof part === 'number'
        ? found.slice(part, part + 1)
        : found.flatMap(({ children }) => children.filter(({ name }) => isNamed(name, part)));
  }
  return found;
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
export const xmlTextOf = (root: XmlElement): string => [...writeXml(nodeOf(root))].join('');

const nodeOf = ({ name, attributes, children, text }: XmlElement): XmlNode => ({
  name,
  attributes,
  text: ownText({ children, text }),
  children: children.map(nodeOf),
});

import type { XmlElement } from '../../../platform/xml/read-xml';
import type { FaultList } from './faults';

/** Ignores whitespace that only places the next tag on a new line. */
export const textOf = ({ text }: XmlElement): string =>
  text.includes('\n') && text.trim() === '' ? '' : text;

export const childrenOf = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? [];

/** Creates an element that is in no file. */
export const elementOf = (
  name: string,
  attributes: XmlElement['attributes'],
  text: string,
  children: readonly XmlElement[] = [],
): XmlElement => ({ name, attributes, text, children, line: 0, column: 0 });

/** Returns `parent` with a child replaced, or added if there is none. */
export const replaced = (
  parent: XmlElement,
  before: XmlElement | undefined,
  after: XmlElement,
): XmlElement => ({
  ...parent,
  children: before
    ? parent.children.map((child) => (child === before ? after : child))
    : [...parent.children, after],
});

export function childOf(
  element: XmlElement | undefined,
  name: string,
  faults: FaultList,
): XmlElement | undefined {
  const [first, second] = childrenOf(element, name);
  if (second && element)
    faults.warn(second, `<${element.name}> has a second <${name}>; the first counts.`);
  return first;
}

/** Returns the child called `name`; adds a fault if it is missing. */
export function requiredChild(
  element: XmlElement,
  name: string,
  faults: FaultList,
): XmlElement | undefined {
  const child = childOf(element, name, faults);
  if (!child) faults.add(element, `<${element.name}> has no <${name}>.`);
  return child;
}

/** Returns the trimmed attribute, or an empty text. */
export function attribute(element: XmlElement, name: string, faults: FaultList): string {
  const value = element.attributes[name];
  if (value === undefined)
    faults.warn(element, `<${element.name}> has no attribute "${name}"; it counts as empty.`);
  return value?.trim() ?? '';
}

/** Returns a required attribute; adds a fault if it is missing or blank. */
export function filledAttribute(element: XmlElement, name: string, faults: FaultList): string {
  const value = element.attributes[name]?.trim() ?? '';
  if (value === '')
    faults.add(
      element,
      `<${element.name}> has ${element.attributes[name] === undefined ? 'no' : 'an empty'} attribute "${name}".`,
    );
  return value;
}

/** Returns an attribute that has a default. */
export function attributeOr(
  element: XmlElement,
  name: string,
  otherwise: string,
  faults: FaultList,
): string {
  const value = element.attributes[name]?.trim() ?? '';
  if (value === '')
    faults.warn(
      element,
      `<${element.name}> has ${element.attributes[name] === undefined ? 'no' : 'an empty'} attribute "${name}"; "${otherwise}" was assumed.`,
    );
  return value || otherwise;
}

/** Warns of repeated names: a lookup by name finds only the first. */
export function warnOfSameNames(
  named: readonly { readonly name: string; readonly element: XmlElement }[],
  kind: string,
  faults: FaultList,
): void {
  const first = new Map<string, XmlElement>();
  for (const { name, element } of named) {
    const before = first.get(name);
    if (before && name !== '')
      faults.warn(
        element,
        `There is ${kind} "${name.slice(0, 100)}" already, on line ${before.line}; that one is found by the name.`,
      );
    if (!before) first.set(name, element);
  }
}

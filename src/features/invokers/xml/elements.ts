import type { XmlElement } from '../../../platform/xml/read-xml';
import type { FaultList } from './faults';

/** Text that is there to put the next tag on a line of its own is none. */
export const textOf = ({ text }: XmlElement): string => (text.includes('\n') && text.trim() === '' ? '' : text);

/** The children called `name`. */
export const childrenOf = (element: XmlElement | undefined, name: string): XmlElement[] => element?.children.filter((child) => child.name === name) ?? [];

/** The one child called `name`, or none. */
export function childOf(element: XmlElement | undefined, name: string, faults: FaultList): XmlElement | undefined {
  const [first, second] = childrenOf(element, name);
  if (second && element) faults.add(second, `<${element.name}> has a second <${name}>.`);
  return first;
}

/** The one child called `name`; noted where it is missing. */
export function requiredChild(element: XmlElement, name: string, faults: FaultList): XmlElement | undefined {
  const child = childOf(element, name, faults);
  if (!child) faults.add(element, `<${element.name}> has no <${name}>.`);
  return child;
}

/** The attribute, without blanks around it; noted where it is missing. */
export function attribute(element: XmlElement, name: string, faults: FaultList): string {
  const value = element.attributes[name];
  if (value === undefined) faults.add(element, `<${element.name}> has no attribute "${name}".`);
  return value?.trim() ?? '';
}

/** The same for one that may not be empty. */
export function filledAttribute(element: XmlElement, name: string, faults: FaultList): string {
  const value = attribute(element, name, faults);
  if (element.attributes[name] !== undefined && value === '') faults.add(element, `<${element.name}> has an empty attribute "${name}".`);
  return value;
}

/** Notes what has the same name as one before it. */
export function requireUnique(named: readonly { readonly name: string; readonly element: XmlElement }[], what: string, faults: FaultList): void {
  const first = new Map<string, XmlElement>();
  for (const { name, element } of named) {
    const before = first.get(name);
    if (before && name !== '') faults.add(element, `There is ${what} "${name}" already, on line ${before.line}.`);
    if (!before) first.set(name, element);
  }
}

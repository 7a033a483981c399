import { append, elementOf, elementsOf, parseXml, setText, textOf, writeXml } from './xml-tree';
import type { XmlElement } from './xml-tree';

/** Finds an element again after the text was parsed again. */
export type Locate = (root: XmlElement) => XmlElement;

/** Returns the root element, or null if the text is no well-formed invoker. */
export function parseInvoker(text: string): XmlElement | null {
  const root = parseXml(text)?.root;
  return root?.name === 'invoker' ? root : null;
}

/** Returns the text after a change of its elements; a text that is not well-formed stays. */
export function changed(text: string, change: (root: XmlElement) => void): string {
  const parsed = parseXml(text);
  if (parsed === null) return text;
  change(parsed.root);
  return writeXml(parsed);
}

/** The text of a child, or an empty one. */
export function childText(parent: XmlElement | null, name: string): string {
  const child = elementOf(parent, name);
  return child === null ? '' : textOf(child);
}

/** Returns a child, which is added if there is none. */
const childFor = (parent: XmlElement, name: string): XmlElement =>
  elementOf(parent, name) ?? append(parent, name);

export const setChildText = (parent: XmlElement, name: string, text: string): void =>
  setText(childFor(parent, name), text);

/** The operations, or an empty list. */
export const operationsOf = (root: XmlElement): XmlElement[] =>
  elementsOf(elementOf(root, 'operations'), 'operation');

/** Finds an operation by its position. @throws if it was removed */
export const operationAt =
  (at: number): Locate =>
  (root) =>
    required(operationsOf(root)[at]);

/** Finds a child by its position among those of its name. @throws if it was removed */
export const childAt =
  (parent: Locate, name: string, at = 0): Locate =>
  (root) =>
    required(elementsOf(parent(root), name)[at]);

/** Finds a child, which is added if there is none. */
export const childOrNew =
  (parent: Locate, name: string): Locate =>
  (root) =>
    childFor(parent(root), name);

function required(element: XmlElement | undefined): XmlElement {
  if (element === undefined) throw new Error('The element was removed from the XML.');
  return element;
}

/** Adds an operation with a GET request. */
export function addOperation(root: XmlElement): void {
  const operation = append(childFor(root, 'operations'), 'operation', {
    name: 'NewOperation',
    type: '',
  });
  const request = append(operation, 'request');
  append(request, 'method', {}, 'GET');
  append(request, 'endpoint', {}, '{url}/');
  append(request, 'header');
  append(append(operation, 'response'), 'success', { status: '200' });
}

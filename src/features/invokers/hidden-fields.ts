import type { RequiredField } from '../../engine';
import type { XmlElement } from '../../platform/xml/read-xml';
import { childrenOf, elementOf, replaced } from './xml/elements';

/**
 * Returns an edited invoker with the visibilities of the stored one. The 5.x client builds the XML
 * from a response that has no visibilities and no private fields, so it sends every field as
 * `public` and leaves the private ones out.
 * @param root the sent `<invoker>`
 * @param stored the required fields of the stored invoker
 */
export function withHiddenFields(root: XmlElement, stored: readonly RequiredField[]): XmlElement {
  const hidden = new Map(
    stored.filter(({ visibility }) => visibility !== 'public').map((field) => [field.name, field]),
  );
  const [list] = childrenOf(root, 'requiredData');
  const sent = list?.children ?? [];
  const names = new Set(sent.map(nameOf));
  const left = [...hidden.values()].filter(
    ({ name, visibility }) => visibility === 'private' && !names.has(name),
  );
  const children = [
    ...sent.map((item) => narrowed(item, hidden.get(nameOf(item)))),
    ...left.map(itemOf),
  ];
  if (!list && left.length === 0) return root;
  return replaced(root, list, { ...(list ?? elementOf('requiredData', {}, '')), children });
}

const nameOf = ({ attributes }: XmlElement): string => attributes.name?.trim() ?? '';

function narrowed(item: XmlElement, stored: RequiredField | undefined): XmlElement {
  if (!stored || item.attributes.visibility?.trim() !== 'public') return item;
  return { ...item, attributes: { ...item.attributes, visibility: stored.visibility } };
}

const itemOf = ({ name, type, visibility, value }: RequiredField): XmlElement =>
  elementOf('item', { name, type, visibility }, value);

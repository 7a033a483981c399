import { localName, ownText } from '../../platform/xml/read-xml';
import type { XmlElement } from '../../platform/xml/read-xml';
import type { Value, ValueMap } from '../value';
import { followPathFrom } from './path';
import type { Segment } from './reference';
import { loopOf } from './scope';
import type { Scope } from './scope';
import { ATTRIBUTES_FIELD, VALUE_FIELD } from './xml-marks';

/** An element, or the text of an attribute. */
type XmlItem = XmlElement | string;

/**
 * Follows a path in an XML response. Names are local names; the root may be omitted. One match is
 * returned as such, several as a list, as after `[*]`. An element without children becomes its
 * text, others an object of attributes (`@name`) and elements. After a `~`, the path continues in
 * these values as in JSON.
 * @param asList return a single match as a list of one
 */
export function followXmlPath(
  root: XmlElement,
  segments: readonly Segment[],
  scope: Scope,
  asList: boolean,
): Value {
  /** Matches grouped by parent: a position counts within a group. */
  let groups: XmlItem[][] = [[{ ...root, name: '', attributes: {}, children: [root], text: '' }]];
  let isFirst = true;
  let many = asList;
  let ofAttributes = false;
  for (const [position, segment] of segments.entries()) {
    if (segment.kind === 'field' && (segment.name === '$' || segment.name === VALUE_FIELD))
      continue;
    if (segment.kind === 'field' && segment.name === ATTRIBUTES_FIELD) {
      ofAttributes = true;
      continue;
    }
    if (isOfValues(segment, groups, scope)) {
      const isSpread = segments[position - 1]?.kind === 'all';
      const values = (isSpread ? groups.flat().map((item) => [item]) : groups)
        .filter((group) => group.length > 0)
        .map(valueOfGroup);
      return values.length === 0 && (asList || !many)
        ? null
        : followPathFrom(values, many || values.length > 1, segments.slice(position), scope);
    }
    if (segment.kind === 'all') many = true;
    const name = nameIn(segment, scope);
    if (name !== null)
      groups = groups
        .flat()
        .map((item) => named(item, ofAttributes ? `@${name}` : name, isFirst ? root : null));
    else if (segment.kind !== 'all')
      groups = groups.map((group) => at(group, positionOf(segment, scope)));
    isFirst = false;
    ofAttributes = false;
  }
  const values = groups.flat().map(valueOfFound);
  if (many) return values.length === 0 && asList ? null : values;
  return values.length > 1 ? values : (values[0] ?? null);
}

/** Finds an attribute (`@name`) or child. The first name may be that of the root or of a child. */
function named(item: XmlItem, name: string, root: XmlElement | null): XmlItem[] {
  if (typeof item === 'string') return [];
  if (root !== null && localName(root.name) !== localName(name)) return named(root, name, null);
  if (!name.startsWith('@'))
    return item.children.filter((child) => child.name === name || localName(child.name) === name);
  const attribute = name.slice(1);
  return Object.entries(item.attributes)
    .filter(([key]) => key === attribute || localName(key) === attribute)
    .map(([, value]) => value);
}

/** Returns the name a segment selects, or null if it selects a position. */
function nameIn(segment: Segment, scope: Scope): string | null {
  if (segment.kind === 'field') return segment.name;
  const frame =
    segment.kind === 'key'
      ? loopOf(scope, segment.key)
      : segment.kind === 'turn'
        ? loopOf(scope, segment.iterator)
        : undefined;
  if (frame?.kind === 'ForIn') return String(frame.value);
  return segment.kind === 'key' ? segment.key : null;
}

function positionOf(segment: Segment, scope: Scope): number {
  if (segment.kind === 'element') return segment.index;
  return segment.kind === 'turn' ? (loopOf(scope, segment.iterator)?.turn ?? -1) : -1;
}

const at = (group: readonly XmlItem[], position: number): XmlItem[] =>
  group.slice(position, position + 1).slice(position < 0 ? 1 : 0);

/** Whether to continue in values: after `~`, or for a loop over the parts of a text. */
function isOfValues(
  segment: Segment,
  groups: readonly (readonly XmlItem[])[],
  scope: Scope,
): boolean {
  if (segment.kind === 'field') return false;
  if (segment.label) return true;
  const isOfParts =
    segment.kind === 'turn' && loopOf(scope, segment.iterator)?.kind === 'SplitString';
  return isOfParts && groups.every((group) => group.length === 1 && group.every(isText));
}

const isText = (item: XmlItem): boolean => typeof item === 'string' || item.children.length === 0;

const valueOfGroup = (group: readonly XmlItem[]): Value => {
  const [only, ...others] = group.map(valueOfFound);
  return others.length === 0 ? (only ?? null) : [only ?? null, ...others];
};

/**
 * Converts a document to parameters: the root by its local name. Elements with attributes always
 * become objects, since parameter paths cannot find attributes otherwise.
 */
export const xmlParameters = (root: XmlElement): ValueMap => ({
  [localName(root.name)]: valueOfElement(root, true),
});

const hasAttributes = ({ attributes }: XmlElement): boolean =>
  Object.keys(attributes).some((name) => name !== 'xmlns' && !name.startsWith('xmlns:'));

const valueOfFound = (item: XmlItem): Value =>
  typeof item === 'string' ? item : valueOfElement(item);

/** Checks for `xsi:nil="true"` with any prefix. */
const isNil = (attributes: XmlElement['attributes']): boolean =>
  Object.entries(attributes).some(
    ([name, value]) => name.endsWith(':nil') && (value === 'true' || value === '1'),
  );

/**
 * Repeated elements become a list; mixed text is stored as `__oc__value`. Depth is limited by the
 * reader.
 */
function valueOfElement(element: XmlElement, keepsAttributes = false): Value {
  const { attributes, children, text } = element;
  if (isNil(attributes)) return null;
  if (children.length === 0 && !(keepsAttributes && hasAttributes(element))) return text;
  const words = ownText({ children, text });
  const fields = new Map<string, Value[]>();
  for (const child of children) {
    const name = localName(child.name);
    const field = fields.get(name);
    if (field === undefined) fields.set(name, [valueOfElement(child, keepsAttributes)]);
    else field.push(valueOfElement(child, keepsAttributes));
  }
  return Object.fromEntries([
    ...Object.entries(attributes).map(([name, value]) => [`@${name}`, value] as const),
    ...(words === '' ? [] : [[VALUE_FIELD, words] as const]),
    ...[...fields].map(
      ([name, values]) => [name, values.length === 1 ? values[0] : values] as const,
    ),
  ]);
}

import { localName } from '../../platform/xml/local-name';
import type { XmlElement } from '../../platform/xml/read-xml';
import type { Value } from '../value';
import type { Segment } from './reference';
import { loopOf } from './scope';
import type { LoopFrame, Scope } from './scope';
import { ATTRIBUTES_FIELD, VALUE_FIELD } from './xml-marks';

/** An element, or the text of an attribute. */
type Found = XmlElement | string;

/**
 * Walks a path through an XML answer. Names are local names; the root may be named or left out. One find is itself, several are a list, as
 * they are after `[*]`; an element without others in it is its text, and any other an object of its attributes (`@name`) and elements.
 * @param asList a single find is a list of one, too: for who goes over it
 */
export function followXmlPath(root: XmlElement, segments: readonly Segment[], scope: Scope, asList: boolean): Value {
  /** What was found, by what it was found in: a position counts within one of these. */
  let groups: Found[][] = [[{ ...root, name: '', attributes: {}, children: [root], text: '' }]];
  let isFirst = true;
  let many = asList;
  let ofAttributes = false;
  for (const segment of segments) {
    if (segment.kind === 'field' && (segment.name === '$' || segment.name === VALUE_FIELD)) continue;
    if (segment.kind === 'field' && segment.name === ATTRIBUTES_FIELD) {
      ofAttributes = true;
      continue;
    }
    const label = labelOf(segment, scope);
    if (label !== undefined) return label;
    if (asksForNames(segment)) return groups.flat().flatMap((found) => (typeof found === 'string' ? [] : childNames(found)));
    if (segment.kind === 'all') many = true;
    const name = nameIn(segment, scope);
    if (name !== null) groups = groups.flat().map((found) => named(found, ofAttributes ? `@${name}` : name, isFirst ? root : null));
    else if (segment.kind !== 'all') groups = groups.map((group) => at(group, positionOf(segment, scope)));
    isFirst = false;
    ofAttributes = false;
  }
  const values = groups.flat().map(valueOfFound);
  if (many) return values.length === 0 && asList ? null : values;
  return values.length > 1 ? values : values[0] ?? null;
}

/** `@name` is an attribute. The first name may be that of the root or of what stands in it. */
function named(found: Found, name: string, root: XmlElement | null): Found[] {
  if (typeof found === 'string') return [];
  if (root !== null && localName(root.name) !== localName(name)) return named(root, name, null);
  if (!name.startsWith('@')) return found.children.filter((child) => child.name === name || localName(child.name) === name);
  const wanted = name.slice(1);
  return Object.entries(found.attributes).filter(([key]) => key === wanted || localName(key) === wanted).map(([, value]) => value);
}

/** The name that a segment asks for; null: it asks for a position. */
function nameIn(segment: Segment, scope: Scope): string | null {
  if (segment.kind === 'field') return segment.name;
  const frame = segment.kind === 'key' ? loopOf(scope, segment.key) : segment.kind === 'turn' ? loopOf(scope, segment.iterator) : undefined;
  if (frame?.kind === 'ForIn') return String(frame.value);
  return segment.kind === 'key' ? segment.key : null;
}

function positionOf(segment: Segment, scope: Scope): number {
  if (segment.kind === 'element') return segment.index;
  return segment.kind === 'turn' ? loopOf(scope, segment.iterator)?.turn ?? -1 : -1;
}

const at = (group: readonly Found[], position: number): Found[] => group.slice(position, position + 1).slice(position < 0 ? 1 : 0);

/** What `~` means: the key or the part that the loop stands at. */
function labelOf(segment: Segment, scope: Scope): Value | undefined {
  if (segment.kind === 'field' || segment.kind === 'all' || segment.kind === 'element' || !segment.label) return undefined;
  const frame: LoopFrame | undefined = loopOf(scope, segment.kind === 'turn' ? segment.iterator : segment.key);
  return frame?.value;
}

/** `a['*']~` */
const asksForNames = (segment: Segment): boolean => segment.kind !== 'field' && segment.label && (segment.kind === 'all' || (segment.kind === 'key' && segment.key === '*'));

const childNames = ({ attributes, children }: XmlElement): string[] => [...new Set([...Object.keys(attributes).map((name) => `@${name}`), ...children.map(({ name }) => localName(name))])];

const valueOfFound = (found: Found): Value => (typeof found === 'string' ? found : valueOfElement(found));

/** Elements of one name are a list. The reader bounds how deep they stand in each other. */
function valueOfElement({ attributes, children, text }: XmlElement): Value {
  if (children.length === 0) return text;
  const fields = new Map<string, Value[]>();
  for (const child of children) {
    const name = localName(child.name);
    const known = fields.get(name);
    if (known === undefined) fields.set(name, [valueOfElement(child)]);
    else known.push(valueOfElement(child));
  }
  return Object.fromEntries([
    ...Object.entries(attributes).map(([name, value]) => [`@${name}`, value] as const),
    ...[...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values] as const),
  ]);
}

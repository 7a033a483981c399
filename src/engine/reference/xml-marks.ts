import { localName } from '../../platform/xml/read-xml';
import type { Segment } from './reference';

/** Editor notation: `{ "__oc__attributes": { "id": "1" }, "__oc__value": "text" }`. */
export const VALUE_FIELD = '__oc__value';
export const ATTRIBUTES_FIELD = '__oc__attributes';

/** A request body in XML notation, as far as paths need it. */
export interface XmlTree {
  /** Names of the fields; null if there are none. */
  readonly names: readonly string[] | null;
  readonly field: (name: string) => XmlTree | undefined;
  /** Item of repeated elements; undefined for a single element. */
  readonly item: (position: number) => XmlTree | undefined;
}

/**
 * Translates a path into an XML body to the field names of the body: ignores `$` and `__oc__value`
 * unless they exist, treats `@id` and `__oc__attributes.id` alike, allows omitting prefixes and
 * root, and uses the value of an element with attributes.
 */
export function inXmlTree(tree: XmlTree, segments: readonly Segment[]): Segment[] {
  const path: Segment[] = [];
  let node: XmlTree | undefined = withoutRoot(tree, segments)
    ? enter(tree, tree.names?.[0] ?? '', path)
    : tree;
  let ofAttributes = false;
  for (const segment of segments) {
    if (segment.kind !== 'field') {
      path.push(segment);
      node = node?.item(segment.kind === 'element' ? segment.index : 0) ?? node;
      continue;
    }
    // Editors show one element of each list.
    while (node?.item(0) !== undefined) node = node.item(0);
    const { name } = segment;
    if (name === '$' && node?.field(name) === undefined) continue;
    if (name === VALUE_FIELD && node?.field(name) === undefined) continue;
    if (name === ATTRIBUTES_FIELD) ofAttributes = true;
    else {
      node = step(node, ofAttributes ? `@${name}` : name, path);
      ofAttributes = false;
    }
  }
  if (ofAttributes) path.push({ kind: 'field', name: ATTRIBUTES_FIELD });
  if (node?.field(VALUE_FIELD) !== undefined && !ofAttributes)
    path.push({ kind: 'field', name: VALUE_FIELD });
  return path;
}

/** Moves to the field that a name refers to; may add several segments. */
function step(node: XmlTree | undefined, name: string, path: Segment[]): XmlTree | undefined {
  const attributes = node?.field(ATTRIBUTES_FIELD);
  if (name.startsWith('@')) {
    const own = node && nameIn(node, name);
    const attribute = attributes && nameIn(attributes, name.slice(1));
    if (own !== undefined || attribute === undefined) return enter(node, own ?? name, path);
    return enter(enter(node, ATTRIBUTES_FIELD, path), attribute, path);
  }
  const own = node && nameIn(node, name);
  if (own !== undefined) return enter(node, own, path);
  const content = node?.field(VALUE_FIELD);
  const inside = content && nameIn(content, name);
  return inside === undefined
    ? enter(node, name, path)
    : enter(enter(node, VALUE_FIELD, path), inside, path);
}

function enter(node: XmlTree | undefined, name: string, path: Segment[]): XmlTree | undefined {
  path.push({ kind: 'field', name });
  return node?.field(name);
}

/** Finds the exact name, or else a name that matches without prefixes. */
function nameIn({ names, field }: XmlTree, expected: string): string | undefined {
  if (field(expected) !== undefined) return expected;
  const bare = (name: string): string =>
    name.startsWith('@') ? `@${localName(name.slice(1))}` : localName(name);
  return names?.find((name) => bare(name) === bare(expected));
}

/** Returns whether the path omits the root. */
function withoutRoot(tree: XmlTree, segments: readonly Segment[]): boolean {
  const [root, ...others] = tree.names ?? [];
  const first = segments.find((segment) => segment.kind === 'field' && segment.name !== '$');
  if (
    root === undefined ||
    others.length > 0 ||
    first?.kind !== 'field' ||
    first.name === VALUE_FIELD
  )
    return false;
  return nameIn(tree, first.name) === undefined;
}

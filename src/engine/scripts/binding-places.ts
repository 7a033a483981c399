import { Cursor } from '../reference/cursor';
import { readTarget } from '../reference/parse-reference';
import type { Segment } from '../reference/reference';
import type { BodyNode } from '../request/body-tree';

/** Parses a path into a body; the syntax is that of references. */
export function bodyPath(field: string): readonly Segment[] {
  const path = field.trim();
  const cursor = new Cursor(
    `#000000.(request)${path.startsWith('[') || path === '' ? '' : '.'}${path}`,
  );
  const { segments } = readTarget(cursor);
  if (!cursor.done) throw cursor.error('the end of the path');
  return segments;
}

/**
 * Writes a result at a path of a body; returns null if the path does not exist. Editors show one
 * element per list: `items[i].name` means that field in each element, `items[*]` the list,
 * `items[0]` an element.
 */
export function withField(
  node: BodyNode,
  path: readonly Segment[],
  result: BodyNode,
): BodyNode | null {
  const [segment, ...rest] = path;
  if (segment === undefined) return result;
  if (segment.kind === 'field' || segment.kind === 'key') {
    const name = segment.kind === 'field' ? segment.name : segment.key;
    return node.kind === 'list'
      ? inEach(node.items, path, result)
      : inField(node, name, rest, result);
  }
  if (segment.kind === 'all' && rest.length === 0) return result;
  if (node.kind !== 'list') return null;
  if (segment.kind !== 'element') return inEach(node.items, rest, result);
  const item = node.items[segment.index];
  const changed = item === undefined ? null : withField(item, rest, result);
  return changed === null ? null : { kind: 'list', items: node.items.with(segment.index, changed) };
}

function inField(
  node: BodyNode,
  name: string,
  rest: readonly Segment[],
  result: BodyNode,
): BodyNode | null {
  if (node.kind !== 'map') return null;
  const at = node.fields.findIndex(([field]) => field === name);
  const changed = at < 0 ? null : withField(node.fields[at][1], rest, result);
  return changed === null ? null : { kind: 'map', fields: node.fields.with(at, [name, changed]) };
}

function inEach(
  items: readonly BodyNode[],
  path: readonly Segment[],
  result: BodyNode,
): BodyNode | null {
  const changed = items.map((item) => withField(item, path, result));
  return changed.every((item) => item === null)
    ? null
    : { kind: 'list', items: items.map((item, position) => changed[position] ?? item) };
}
/** Possible target of a field binding. */
export interface BindingPlace {
  /** `request` is a field of the body, `path` a part of the URL, `header` a header. */
  readonly type: string;
  readonly field: string;
  /** The field is a header name only. */
  readonly isName?: boolean;
}

/** Prefix of the 5.x editor: the part of the request. */
const PART = /^(body|header)(?![^.[])(?:\.?\$(?=[.[]|$))?\.?(.*)$/s;
const QUOTED = /^\['(.*)'\]$/s;

/**
 * Returns the possible targets of a binding by precedence: the field as written (4.x, and bodies
 * with a field `body`), then without the prefix of the 5.x editor (docs/adr/0009).
 */
export function bindingPlaces({ type, field }: BindingPlace): BindingPlace[] {
  const [, part, rest = ''] = PART.exec(field.trim()) ?? [];
  const written: BindingPlace = { type, field };
  if (part === 'body' && type === 'request') return [written, { type, field: rest }];
  if (part !== 'header' || rest === '' || (type !== 'request' && type !== 'header'))
    return [written];
  const named: BindingPlace = {
    type: 'header',
    field: QUOTED.exec(rest)?.[1] ?? rest,
    isName: true,
  };
  // A header without a known name matches wherever the references are, so try the name first.
  return type === 'header' ? [named, written] : [written, named];
}

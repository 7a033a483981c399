import type { InputPath, Refused } from '../../../platform/errors/errors';
import type { Steps, Turn } from '../../../platform/event-loop';
import type { JsonObject } from '../json';
import { isJsonObject } from '../json';
import type { Operation } from './patch';
import { idOfPart } from './patch-target';
import type { Targeted } from './patch-target';
import { PatchedValue } from './patched-value';
import type { Added } from './patched-value';
import type { Pointer } from './pointer';
import { pathInvalid, printPointer, shown } from './pointer';

export interface PatchResult {
  readonly value: JsonObject;
  /** The first step or binding that the patch added, if it still exists. */
  readonly added: FirstAdded | null;
}

export interface FirstAdded {
  readonly list: readonly string[];
  readonly position: number;
}

/**
 * Applies a patch completely or not at all.
 * @param mostCopied approximate maximum of characters that `copy` operations may create
 * @throws see `PatchedValue.apply`
 */
export function* applyPatch(
  target: Targeted,
  operations: readonly Operation[],
  mostCopied: number,
  turn: Turn,
): Steps<PatchResult> {
  const { value, id, ids, lists } = target;
  const patched = new PatchedValue(value, mostCopied, turn);
  let first: Added | null = null;
  for (const [position, operation] of operations.entries()) {
    if (turn.over) yield;
    requireIdsKept(target, patched, operation, position);
    const added = yield* patched.apply(operation, position);
    if (!added || !isPartOf(lists, added)) continue;
    // A copy is a new part and gets a new id.
    if (operation.op === 'copy')
      for (const name of ['id', 'nodeId']) Reflect.deleteProperty(added.entry as object, name);
    first ??= added;
  }
  const { root } = patched;
  if (!isJsonObject(root)) throw pathInvalid('What is patched is, and stays, a JSON object.', []);
  const other = ids.find(
    (pointer) =>
      patched.find(pointer) !== undefined && patched.find(pointer) !== valueAt(value, pointer),
  );
  if (other) throw idChanged(other, []);
  return { value: withItsId(root, id), added: first && placeOf(first, root) };
}

const idChanged = (pointer: Pointer, place: InputPath): Refused =>
  pathInvalid(`${shown(printPointer(pointer))} is an id, which a patch never changes.`, place);

const valueAt = (value: JsonObject, [name]: Pointer): unknown => value[name];

/**
 * Rejects changes of ids: of the whole value, and of the entries of its lists.
 * @throws Refused PATH_IS_INVALID
 */
function requireIdsKept(
  { ids, lists }: Targeted,
  patched: PatchedValue,
  operation: Operation,
  position: number,
): void {
  if (operation.op === 'test') return;
  const isId = (path: Pointer): boolean =>
    ids.some((one) => isSame(one, path)) ||
    (ID_NAMES.has(path.at(-1) ?? '') && lists.some((list) => isSame(list, path.slice(0, -2))));
  const check = (path: Pointer, member: 'path' | 'from'): void => {
    const before = isId(path) ? patched.find(path) : undefined;
    if (before === undefined || before === null || before === '') return;
    if (member === 'path' && 'value' in operation && operation.value === before) return;
    throw idChanged(path, [position, member]);
  };
  check(operation.path, 'path');
  if (operation.op === 'move') check(operation.from, 'from');
}

const ID_NAMES: ReadonlySet<string> = new Set(['id', 'nodeId']);

const isSame = (one: Pointer, other: Pointer): boolean =>
  one.length === other.length && one.every((name, at) => name === other[at]);

const isPartOf = (lists: Targeted['lists'], { list, entry }: Added): boolean =>
  isJsonObject(entry) && lists.some((one) => isSame(one, list));

function withItsId(patched: JsonObject, id: string | null): JsonObject {
  if (id === null || idOfPart(patched) === id) return patched;
  if (idOfPart(patched) !== null)
    throw pathInvalid('The id of a step or field binding never changes.', []);
  return { ...patched, id };
}

function placeOf({ list, entry }: Added, root: JsonObject): FirstAdded | null {
  const entries = list.reduce<unknown>(
    (inside, name) => (isJsonObject(inside) ? inside[name] : undefined),
    root,
  );
  const position = Array.isArray(entries) ? entries.indexOf(entry) : -1;
  return position < 0 ? null : { list, position };
}

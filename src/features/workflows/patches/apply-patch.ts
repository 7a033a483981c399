import type { Steps, Turn } from '../../../platform/json/turns';
import type { JsonObject } from '../json';
import { isJsonObject } from '../json';
import type { Operation } from './patch';
import { idOfPart } from './patch-target';
import type { Targeted } from './patch-target';
import { PatchedValue } from './patched-value';
import type { Added } from './patched-value';
import { pathInvalid } from './pointer';

/** What a patch came to. */
export interface PatchResult {
  readonly value: JsonObject;
  /** The first step or binding it added, when it is still there. */
  readonly added: FirstAdded | null;
}

/** Where something stands: in which list, and at which position. */
export interface FirstAdded {
  readonly list: readonly string[];
  readonly position: number;
}

/**
 * Applies a patch, whole or not at all.
 * @param mostCopied characters, about, that its copies may make
 * @throws what `PatchedValue.apply` throws
 */
export function* applyPatch({ value, id, lists }: Targeted, operations: readonly Operation[], mostCopied: number, turn: Turn): Steps<PatchResult> {
  const patched = new PatchedValue(value, mostCopied, turn);
  let first: Added | null = null;
  for (const [position, operation] of operations.entries()) {
    if (turn.over) yield;
    const added = yield* patched.apply(operation, position);
    if (!added || !isPartOf(lists, added)) continue;
    // A copy is another one.
    if (operation.op === 'copy') for (const name of ['id', 'nodeId']) Reflect.deleteProperty(added.entry as object, name);
    first ??= added;
  }
  const { root } = patched;
  if (!isJsonObject(root)) throw pathInvalid('What is patched is, and stays, a JSON object.', []);
  return { value: withItsId(root, id), added: first && placeOf(first, root) };
}

const isPartOf = (lists: Targeted['lists'], { list, entry }: Added): boolean =>
  isJsonObject(entry) && lists.some((one) => one.length === list.length && one.every((name, at) => name === list[at]));

function withItsId(patched: JsonObject, id: string | null): JsonObject {
  if (id === null || idOfPart(patched) === id) return patched;
  if (idOfPart(patched) !== null) throw pathInvalid('The id of a step or field binding never changes.', []);
  return { ...patched, id };
}

function placeOf({ list, entry }: Added, root: JsonObject): FirstAdded | null {
  const entries = list.reduce<unknown>((inside, name) => (isJsonObject(inside) ? inside[name] : undefined), root);
  const position = Array.isArray(entries) ? entries.indexOf(entry) : -1;
  return position < 0 ? null : { list, position };
}

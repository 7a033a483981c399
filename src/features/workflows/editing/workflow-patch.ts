import type { ErrorCode } from '../../../platform/errors/codes';
import { NotFound } from '../../../platform/errors/errors';
import type { InputPath, Refused } from '../../../platform/errors/errors';
import type { JsonObject } from '../document/json';
import { isJsonObject } from '../document/json';
import type { WorkflowWithDocument } from '../workflow-reader';
import type { Operation } from './json-patch';
import { partIdOf } from '../document/part-ids';
import type { AddedEntry } from './patched-value';
import { PatchedValue } from './patched-value';
import type { Pointer } from './pointer';
import { isSamePointer, pathInvalid, quotePointer, valueAt } from './pointer';

/**
 * What the pointers of a patch are relative to: the workflow in its REST shape, its container, or
 * one part.
 */
export type PatchTarget =
  | { readonly kind: 'workflow' | 'connector' }
  | { readonly kind: 'method' | 'operator' | 'fieldBinding'; readonly id: string };

/** The value to patch, and a function that puts the result into the document. */
interface PatchableValue {
  readonly value: JsonObject;
  /** The immutable id of a step or binding; null for the workflow and the container. */
  readonly id: string | null;
  /** Pointers to the ids of the whole value, which a patch must not change. */
  readonly ids: readonly Pointer[];
  /** Pointers to the lists whose entries get ids. */
  readonly lists: readonly Pointer[];
  put(value: JsonObject): unknown;
}

/** The position of an entry in a list of the patched value. */
export interface EntryPosition {
  readonly list: Pointer;
  readonly position: number;
}

const PARTS = {
  method: { name: 'method', code: 'METHOD_NOT_FOUND' },
  operator: { name: 'operator', code: 'OPERATOR_NOT_FOUND' },
  fieldBinding: { name: 'field binding', code: 'ENHANCEMENT_NOT_FOUND' },
} as const satisfies Record<string, { readonly name: string; readonly code: ErrorCode }>;

/** @throws NotFound METHOD_NOT_FOUND, OPERATOR_NOT_FOUND, ENHANCEMENT_NOT_FOUND */
export function resolveTarget(
  target: PatchTarget,
  { record, document }: WorkflowWithDocument,
): PatchableValue {
  const { fromConnector, fieldBinding } = document;
  switch (target.kind) {
    case 'workflow':
      return {
        id: null,
        value: { connectionId: record._id, nodeId: record.snapshotId, ...document },
        ids: [['connectionId'], ['nodeId']],
        lists: [['fromConnector', 'methods'], ['fromConnector', 'operators'], ['fieldBinding']],
        put: ({ connectionId: _id, nodeId: _nodeId, ...changed }) => changed,
      };
    case 'connector':
      return {
        id: null,
        value: fromConnector,
        ids: [],
        lists: [['methods'], ['operators']],
        put: (value) => ({ ...document, fromConnector: value }),
      };
    case 'method':
      return resolvePart(target, fromConnector.methods, (methods) => ({
        ...document,
        fromConnector: { ...fromConnector, methods },
      }));
    case 'operator':
      return resolvePart(target, fromConnector.operators, (operators) => ({
        ...document,
        fromConnector: { ...fromConnector, operators },
      }));
    case 'fieldBinding':
      return resolvePart(target, fieldBinding, (bindings) => ({
        ...document,
        fieldBinding: bindings,
      }));
  }
}

function resolvePart(
  { kind, id }: Extract<PatchTarget, { readonly id: string }>,
  list: readonly JsonObject[],
  put: (list: readonly unknown[]) => unknown,
): PatchableValue {
  const position = list.findIndex((part) => partIdOf(part) === id);
  const value = list[position];
  if (!value)
    throw new NotFound(
      PARTS[kind].code,
      `The workflow has no ${PARTS[kind].name} ${JSON.stringify(id.slice(0, 100))}.`,
      { path: [kind] },
    );
  return {
    id,
    value,
    ids: [],
    lists: [],
    put: (changed) => put(list.with(position, changed)),
  };
}

/**
 * Applies a patch completely or not at all.
 * @param maxCopied approximate maximum of characters that `copy` operations may create
 * @returns the patched value, and the position of the first step or binding that the patch added
 * @throws Refused PATH_IS_INVALID the patch changes an id; and the errors of `PatchedValue.apply`
 */
export function applyPatch(
  target: PatchableValue,
  operations: readonly Operation[],
  maxCopied: number,
): { readonly value: JsonObject; readonly added: EntryPosition | null } {
  const { value, id, ids, lists } = target;
  const patched = new PatchedValue(value, maxCopied);
  let first: AddedEntry | null = null;
  for (const [position, operation] of operations.entries()) {
    requireIdsKept(target, patched.root, operation, position);
    const added = patched.apply(operation, position);
    if (!isJsonObject(added?.entry) || !lists.some((list) => isSamePointer(list, added.list)))
      continue;
    // A copy is a new part and gets a new id.
    if (operation.op === 'copy')
      for (const name of ID_NAMES) Reflect.deleteProperty(added.entry, name);
    first ??= added;
  }
  const { root } = patched;
  if (!isJsonObject(root)) throw pathInvalid('The patched value must stay a JSON object.', []);
  const changedId = ids.find((pointer) => {
    const now = valueAt(root, pointer);
    return now !== undefined && now !== valueAt(value, pointer);
  });
  if (changedId) throw idChanged(changedId, []);
  return { value: withId(root, id), added: first && positionOf(first, root) };
}

const ID_NAMES: readonly string[] = ['id', 'nodeId'];

/**
 * Rejects changes of ids: of the whole value, and of the entries of its lists.
 * @throws Refused PATH_IS_INVALID
 */
function requireIdsKept(
  { ids, lists }: PatchableValue,
  root: unknown,
  operation: Operation,
  position: number,
): void {
  if (operation.op === 'test') return;
  const isId = (path: Pointer): boolean =>
    ids.some((id) => isSamePointer(id, path)) ||
    (ID_NAMES.includes(path.at(-1) ?? '') &&
      lists.some((list) => isSamePointer(list, path.slice(0, -2))));
  const check = (path: Pointer, member: 'path' | 'from'): void => {
    const before = isId(path) ? valueAt(root, path) : undefined;
    if (before === undefined || before === null || before === '') return;
    if (member === 'path' && 'value' in operation && operation.value === before) return;
    throw idChanged(path, [position, member]);
  };
  check(operation.path, 'path');
  if (operation.op === 'move') check(operation.from, 'from');
}

const idChanged = (pointer: Pointer, path: InputPath): Refused =>
  pathInvalid(`${quotePointer(pointer)} is an id. A patch cannot change ids.`, path);

function withId(patched: JsonObject, id: string | null): JsonObject {
  const own = partIdOf(patched);
  if (id === null || own === id) return patched;
  if (own !== null) throw pathInvalid('The id of a step or field binding cannot be changed.', []);
  return { ...patched, id };
}

function positionOf({ list, entry }: AddedEntry, root: JsonObject): EntryPosition | null {
  const entries = valueAt(root, list);
  const position = Array.isArray(entries) ? entries.indexOf(entry) : -1;
  return position < 0 ? null : { list, position };
}

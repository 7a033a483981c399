import { sameValue } from '../parts/values';
import { changedStep, documentOf, isUnsavedId, mergeChanges, stepsInside } from './document';
import type { Edit, SavedWorkflow, Step, StepChanges } from './document';

/** An edit that the service has not confirmed yet. */
export interface PendingEdit {
  readonly id: number;
  readonly edit: Edit;
  /** The fields before the edit, to detect that another user changed them; null if it has none. */
  readonly base: FieldValues | null;
  /** Why the service rejected it. It is sent again when it is changed, or on request. */
  readonly failure: string | null;
}

/** Values by path: `request.endpoint`. */
export type FieldValues = Readonly<Record<string, unknown>>;

const REQUEST_FIELDS = ['endpoint', 'httpMethod', 'method', 'header', 'body'];

/** Returns the paths of the fields that changes name. */
export function changedPaths({ method, operator }: StepChanges): string[] {
  if (operator !== undefined) return Object.keys(operator);
  return Object.keys(method ?? {}).flatMap((name) =>
    name === 'request' && method?.request
      ? Object.keys(method.request).map((field) => `request.${field}`)
      : name === 'request'
        ? REQUEST_FIELDS.map((field) => `request.${field}`)
        : [name],
  );
}

export function valuesAt(step: Step, paths: readonly string[]): FieldValues {
  const request = step.kind === 'method' ? step.request : null;
  return Object.fromEntries(
    paths.map((path) => [
      path,
      path.startsWith('request.')
        ? (request?.[path.slice('request.'.length) as keyof typeof request] ?? null)
        : (step[path as keyof Step] ?? null),
    ]),
  );
}

/** A field that two users changed. */
export interface Clash {
  readonly pending: PendingEdit;
  readonly path: string;
  readonly own: unknown;
  readonly saved: unknown;
}

/** Finds the fields of pending edits that the saved workflow has with another value than before. */
export function findClashes(pending: readonly PendingEdit[], workflow: SavedWorkflow): Clash[] {
  const { steps } = documentOf(workflow);
  return pending.flatMap((entry) => {
    const { edit, base } = entry;
    if (edit.kind !== 'update' || base === null) return [];
    const step = steps.find(({ id }) => id === edit.stepId);
    if (step === undefined) return [];
    const paths = Object.keys(base);
    const saved = valuesAt(step, paths);
    const own = valuesAt(changedStep(step, edit.changes), paths);
    return paths
      .filter((path) => !sameValue(saved[path], base[path]) && !sameValue(saved[path], own[path]))
      .map((path) => ({ pending: entry, path, own: own[path], saved: saved[path] }));
  });
}

/** Returns why the service would reject an edit that is not complete yet, or null. */
export function waitReason({ edit }: PendingEdit): string | null {
  if (edit.kind === 'add' && edit.changes.operator !== undefined)
    return edit.changes.operator.expression?.trim() ? null : 'The expression is empty.';
  if (edit.kind === 'update' && edit.changes.operator?.expression !== undefined)
    return edit.changes.operator.expression?.trim() ? null : 'The expression is empty.';
  if (edit.kind === 'details' && edit.title !== undefined)
    return edit.title.trim() === '' ? 'The title is empty.' : null;
  return null;
}

const idsOf = (edit: Edit): (string | null)[] => [
  'stepId' in edit && edit.kind !== 'add' && edit.kind !== 'paste' ? edit.stepId : null,
  'parentId' in edit ? edit.parentId : null,
  edit.kind === 'unbind' ? edit.bindingId : null,
];

/**
 * Returns the next edit to send: not one that waits or failed, nor one that needs a step which is
 * not saved yet.
 */
export function nextToSend(pending: readonly PendingEdit[]): PendingEdit | undefined {
  return pending.find(
    (entry) =>
      entry.failure === null &&
      waitReason(entry) === null &&
      !idsOf(entry.edit).some((id) => id !== null && isUnsavedId(id)),
  );
}

/** Replaces the id of a step or binding that was saved. */
export function withSavedId(edit: Edit, unsavedId: string, id: string): Edit {
  const replace = <Id extends string | null>(value: Id): Id | string =>
    value === unsavedId ? id : value;
  switch (edit.kind) {
    case 'add':
    case 'paste':
    case 'move':
      return { ...edit, stepId: replace(edit.stepId), parentId: replace(edit.parentId) };
    case 'update':
    case 'remove':
      return { ...edit, stepId: replace(edit.stepId) };
    case 'unbind':
      return { ...edit, bindingId: replace(edit.bindingId) };
    case 'bind':
      return edit.binding.bindingId === unsavedId
        ? { ...edit, binding: { ...edit.binding, bindingId: id } }
        : edit;
    case 'details':
      return edit;
  }
}

/**
 * Adds an edit to those that wait. It is merged into the last one of the same step if that one is
 * not being sent.
 * @param steps the steps before the edit
 */
export function withEdit(
  pending: readonly PendingEdit[],
  added: PendingEdit,
  sentId: number | null,
  steps: readonly Step[],
): readonly PendingEdit[] {
  const { edit } = added;
  if (edit.kind === 'remove' && isUnsavedId(edit.stepId)) {
    const removed = new Set(stepsInside(steps, edit.stepId).map(({ id }) => id));
    const isSent = pending.some(
      ({ id, edit: other }) => id === sentId && 'stepId' in other && removed.has(other.stepId),
    );
    if (!isSent)
      return pending.filter(({ edit: other }) => !('stepId' in other && removed.has(other.stepId)));
  }
  const last = pending.findLast(({ edit: other }) => isSameTarget(other, edit));
  if (last === undefined || last.id === sentId) return [...pending, added];
  const merged = mergedEdit(last.edit, edit);
  if (merged === null) return [...pending, added];
  return pending.map((entry) =>
    entry === last
      ? {
          ...entry,
          edit: merged,
          base: last.base && { ...added.base, ...last.base },
          failure: null,
        }
      : entry,
  );
}

function isSameTarget(one: Edit, other: Edit): boolean {
  if (one.kind === 'details' && other.kind === 'details') return true;
  if (one.kind === 'bind' && other.kind === 'bind')
    return one.binding.bindingId != null && one.binding.bindingId === other.binding.bindingId;
  return 'stepId' in one && 'stepId' in other && one.stepId === other.stepId;
}

function mergedEdit(before: Edit, after: Edit): Edit | null {
  if (before.kind === 'details' && after.kind === 'details') return { ...before, ...after };
  if (before.kind === 'bind' && after.kind === 'bind')
    return { ...before, binding: { ...before.binding, ...after.binding } };
  if (after.kind === 'update' && (before.kind === 'update' || before.kind === 'add'))
    return { ...before, changes: mergeChanges(before.changes, after.changes) };
  return null;
}

import type { JsonObject } from './json';
import { isJsonObject } from './json';

/** The parts of a workflow to change. What is undefined stays as it is; a list that is given becomes the whole list. */
export interface WorkflowChange {
  readonly title?: string | null;
  readonly description?: string | null;
  readonly categoryId?: number | null;
  readonly methods?: readonly object[] | null;
  readonly operators?: readonly object[] | null;
  readonly fieldBindings?: readonly object[] | null;
  readonly ui?: unknown;
}

/**
 * The document with the change in it. Steps and bindings are the same by `id`, which the 4.x line called `nodeId`: fields of theirs that the change does not name, those
 * this service does not know among them, stay.
 */
export function applyChange(document: JsonObject, change: WorkflowChange): JsonObject {
  const container = isJsonObject(document.fromConnector) ? document.fromConnector : {};
  return {
    ...document,
    ...given({
      title: change.title,
      description: change.description,
      categoryId: change.categoryId,
      ui: change.ui,
    }),
    fromConnector: {
      ...container,
      ...given({
        methods: merged(container.methods, change.methods),
        operators: merged(container.operators, change.operators),
      }),
    },
    ...given({ fieldBinding: merged(document.fieldBinding, change.fieldBindings) }),
  };
}

/** Without what was not given. */
const given = (fields: object): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

function merged(
  before: unknown,
  after: readonly object[] | null | undefined,
): JsonObject[] | undefined {
  if (after === undefined) return undefined;
  const known = new Map(
    (Array.isArray(before) ? before : [])
      .filter(isJsonObject)
      .map((entry) => [entry.id ?? entry.nodeId, entry]),
  );
  return (after ?? []).map((entry) => {
    const changes = given(entry);
    return mergedObject(changes.id == null ? undefined : known.get(changes.id), changes);
  });
}

/** `request` and its `body` have a shape of their own; everything below them is content and replaced whole. */
const NESTED = new Set(['request', 'body']);

/** A step or binding with the fields that are given; what is undefined stays. */
export const changedPart = (before: JsonObject, changes: object): JsonObject =>
  mergedObject(before, given(changes));

function mergedObject(before: unknown, changes: JsonObject): JsonObject {
  const base = isJsonObject(before) ? before : {};
  return {
    ...base,
    ...Object.fromEntries(
      Object.entries(changes).map(([name, value]) => [
        name,
        NESTED.has(name) && isJsonObject(value)
          ? nestedObject(name, mergedObject(base[name], given(value)))
          : value,
      ]),
    ),
  };
}

/** A typed body is never bare JSON, also where it leaves out what tells the two apart. */
const nestedObject = (name: string, merged: JsonObject): JsonObject =>
  name === 'body' ? { format: 'json', fields: null, ...merged } : merged;

import type { JsonObject } from './json';
import { isJsonObject } from './json';

/**
 * Changes of a workflow. Undefined fields keep their value; a given list replaces the whole list.
 */
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
 * Applies a change to a document. Steps and bindings are matched by `id` (`nodeId` in the 4.x line)
 * and keep the fields that the change does not contain, including fields unknown to this service.
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

/** Removes undefined fields. */
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

/**
 * `request` and its `body` are merged field by field; everything below them is replaced as a whole.
 */
const NESTED = new Set(['request', 'body']);

/** Merges changes into a step or binding; undefined fields keep their value. */
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

/** Adds the fields that distinguish a typed body from bare JSON. */
const nestedObject = (name: string, merged: JsonObject): JsonObject =>
  name === 'body' ? { format: 'json', fields: null, ...merged } : merged;

import { httpMethodOf } from '../../../engine';
import { TooLarge } from '../../../platform/errors/errors';
import type { Tx } from '../../../platform/store/store';
import { isJsonObject } from './json';
import type { JsonObject } from './json';
import type { PackedJson } from './packed-json';
import type { WorkflowDocument } from './workflow-document';
import type { WorkflowRecord } from '../workflow.model';

/**
 * Changes of a workflow. Undefined fields keep their value; a given list replaces the whole list.
 */
export interface WorkflowChange {
  readonly title?: string | null;
  readonly description?: string | null;
  readonly categoryId?: number | null;
  readonly methods?: readonly object[] | null;
  readonly operators?: readonly object[] | null;
  /** In place of the lists `methods` and `operators`. */
  readonly steps?: { readonly applyTo: (document: WorkflowDocument) => WorkflowDocument };
  readonly fieldBindings?: readonly object[] | null;
  readonly ui?: unknown;
}

/** What to save or test: a whole document that is not parsed yet, or a change of the stored one. */
export type WorkflowContent =
  | {
      readonly document: unknown;
      /** It comes from a released client, which does not send the fields that it does not know. */
      readonly isReleased?: boolean;
      /** It comes from a 4.x client, which loses what it cannot show. */
      readonly isTwoContainers?: boolean;
    }
  | { readonly change: WorkflowChange };

/**
 * A save that derives the document from the stored one, as editors do. Repeated after a concurrent
 * save.
 */
export interface WorkflowEdit {
  /** Audit action. */
  readonly action: 'workflow.patch' | 'workflow.undo' | 'workflow.redo';
  /**
   * `stored`: the document was saved before and contains its secrets. `written`: it comes from a
   * client.
   */
  readonly origin: 'written' | 'stored';
  readonly make: (base: {
    readonly record: WorkflowRecord;
    readonly document: WorkflowDocument;
  }) => Promise<unknown>;
  /**
   * Stores the inverse of this save within the transaction; null if the save changed nothing.
   * Default: as one that can be undone.
   */
  readonly settle?: (saved: WorkflowRecord, inverse: PackedJson | null, tx: Tx) => Promise<void>;
}

/**
 * Returns the document to save; a change is applied to `base`, a whole document replaces it.
 * @param most maximum size of the document, JSON bytes
 * @throws TooLarge
 */
export function documentMeant(content: WorkflowContent, base: JsonObject, most: number): unknown {
  const document = 'document' in content ? content.document : applyChange(base, content.change);
  requireSize(document, most, base);
  return document;
}

/**
 * @param before the stored document: one that is too large already may become smaller
 * @throws TooLarge the JSON text has more bytes than `most`
 */
export function requireSize(document: unknown, most: number, before?: JsonObject): void {
  const bytes = jsonBytes(document);
  if (bytes > most && !(before && bytes < jsonBytes(before)))
    throw new TooLarge(`The workflow may have ${most} bytes at most.`);
}

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/**
 * Applies a change to a document. Steps and bindings are matched by `id` (`nodeId` in the 4.x line)
 * and keep the fields that the change does not contain, including fields unknown to this service.
 */
export function applyChange(document: JsonObject, change: WorkflowChange): JsonObject {
  const container = isJsonObject(document.fromConnector) ? document.fromConnector : {};
  const changed = {
    ...document,
    ...definedFields({
      title: change.title,
      description: change.description,
      categoryId: change.categoryId,
      ui: change.ui,
    }),
    fromConnector: {
      ...container,
      ...definedFields({
        methods: merged(container.methods, change.methods),
        operators: merged(container.operators, change.operators),
      }),
    },
    ...definedFields({ fieldBinding: merged(document.fieldBinding, change.fieldBindings) }),
  };
  if (!change.steps) return changed;
  const { methods = [], operators = [] } = container;
  const fromConnector = { ...container, methods, operators };
  return change.steps.applyTo({ ...changed, fromConnector } as unknown as WorkflowDocument);
}

/** Removes undefined fields. */
const definedFields = (fields: object): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

function merged(
  before: unknown,
  after: readonly object[] | null | undefined,
): JsonObject[] | undefined {
  if (after === undefined) return undefined;
  const byId = new Map(
    (Array.isArray(before) ? before : [])
      .filter(isJsonObject)
      .map((entry) => [entry.id ?? entry.nodeId, entry]),
  );
  return (after ?? []).map((entry) => {
    const changes = definedFields(entry);
    return mergedObject(changes.id == null ? undefined : byId.get(changes.id), changes);
  });
}

/**
 * `request`, its `body` and `enhancement` are merged field by field; everything below them is
 * replaced as a whole.
 */
const NESTED = new Set(['request', 'body', 'enhancement']);

/** Merges changes into a step or binding; undefined fields keep their value. */
export const changedPart = (before: JsonObject, changes: object): JsonObject =>
  mergedObject(before, definedFields(changes));

function mergedObject(before: unknown, changes: JsonObject): JsonObject {
  const base = isJsonObject(before) ? before : {};
  return {
    ...base,
    ...Object.fromEntries(
      Object.entries(changes).map(([name, value]) => [
        name,
        NESTED.has(name) && isJsonObject(value)
          ? nestedObject(name, mergedObject(base[name], withMethod(base[name], value)))
          : value,
      ]),
    ),
  };
}

/** `httpMethod` of a request is stored as `method`, whose spelling stays if it names the same. */
function withMethod(before: unknown, { httpMethod, ...sent }: JsonObject): JsonObject {
  const fields = definedFields(sent);
  if (httpMethod === undefined) return fields;
  const method = isJsonObject(before) ? before.method : undefined;
  return definedFields({
    ...fields,
    method: httpMethodOf(method) === httpMethod ? method : httpMethod,
  });
}

/** Adds the fields that distinguish a typed body from bare JSON. */
const nestedObject = (name: string, merged: JsonObject): JsonObject =>
  name === 'body' ? { format: 'json', fields: null, ...merged } : merged;

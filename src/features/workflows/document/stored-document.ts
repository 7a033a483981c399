import { derived } from '../../../platform/cache';
import { idOf } from './record-id';
import type { JsonObject } from './json';
import { isJsonObject } from './json';
import { idsOf, partIdOf } from './part-ids';
import type { MethodDocument, OperatorDocument, WorkflowDocument } from './workflow-document';
import { inCurrentShape, isLegacyDocument } from './legacy-document';
import { describeTwoContainers, TWO_CONTAINERS } from './two-containers';

/**
 * Reads a stored document. One of the 4.x shape, or with bare JSON as a request body, is converted
 * in memory at each read and stays stored as it is until the next save. Steps without an id get one
 * derived from their position: it is the same at every read, so a save keeps it.
 */
export function readStored(stored: JsonObject): WorkflowDocument {
  const document = inCurrentShape(stored);
  if (!isLegacyDocument(stored)) return document as WorkflowDocument;
  const container = document.fromConnector as JsonObject;
  const [methods, operators] = [stepsIn(container.methods), stepsIn(container.operators)];
  const used = idsOf([...methods, ...operators]);
  const converted: WorkflowDocument = {
    ...document,
    title: typeof document.title === 'string' ? document.title : '',
    fromConnector: {
      ...container,
      methods: identified(methods, 'a', used) as MethodDocument[],
      operators: identified(operators, 'b', used) as OperatorDocument[],
    },
    toConnector: null,
    fieldBinding: stepsIn(document.fieldBinding),
  };
  const notes = describeTwoContainers(stored, converted);
  return notes === null ? converted : { ...converted, [TWO_CONTAINERS]: notes };
}

const stepsIn = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

function identified(
  steps: readonly JsonObject[],
  kind: 'a' | 'b',
  usedIds: Set<string>,
): JsonObject[] {
  return steps.map((step, position) =>
    typeof step.id === 'string' && step.id !== ''
      ? step
      : { ...step, id: partIdOf(step) ?? placeId(kind, position, usedIds) },
  );
}

/** 24 hex digits, like all step ids that this service creates. */
function placeId(kind: 'a' | 'b', position: number, used: Set<string>): string {
  for (let nth = position; ; nth += 10_000) {
    const id = `${kind}${nth.toString(16).padStart(23, '0')}`;
    if (used.has(id)) continue;
    used.add(id);
    return id;
  }
}

/** Cached, so that callers share the masked copy too. */
const withoutCategory = derived((document: WorkflowDocument) => ({
  ...document,
  categoryId: null,
}));

/**
 * Returns the document without its category if that was deleted after the save: only the row is
 * updated.
 */
export function inCategoryOf(
  { categoryId }: { readonly categoryId?: number | null },
  document: WorkflowDocument,
): WorkflowDocument {
  return categoryId !== null || idOf(document.categoryId) === null
    ? document
    : withoutCategory(document);
}

import { NotFound } from '../../../platform/errors/errors';
import type { ErrorCode } from '../../../platform/errors/codes';
import type { JsonObject } from '../json';
import { isJsonObject } from '../json';
import type { WorkflowWithDocument } from '../workflow-reading';
import type { WorkflowDocument } from '../workflow.document';
import type { Pointer } from './pointer';

/**
 * What the pointers of a patch are relative to: the workflow in its REST shape, its container, or
 * one part.
 */
export type PatchTarget =
  | { readonly kind: 'workflow' | 'connector' }
  | { readonly kind: 'method' | 'operator' | 'fieldBinding'; readonly id: string };

/** The value to patch, and a function that puts the result into the document. */
export interface Targeted {
  readonly value: JsonObject;
  /** The immutable id of a step or binding; null for the workflow and the container. */
  readonly id: string | null;
  /** Pointers to the ids of the whole value, which a patch must not change. */
  readonly ids: readonly Pointer[];
  /** Pointers to the lists whose entries get ids. */
  readonly lists: readonly (readonly string[])[];
  put(value: unknown): unknown;
}

const CODES = {
  method: 'METHOD_NOT_FOUND',
  operator: 'OPERATOR_NOT_FOUND',
  fieldBinding: 'ENHANCEMENT_NOT_FOUND',
} as const satisfies Record<string, ErrorCode>;
const WORDS = { method: 'method', operator: 'operator', fieldBinding: 'field binding' } as const;

/** The ids of the workflow and of its version. */
const OF_WHOLE = [['connectionId'], ['nodeId']] as const;

/** Lists whose entries have ids, relative to the document and to the container. */
const OF_WORKFLOW = [
  ['fromConnector', 'methods'],
  ['fromConnector', 'operators'],
  ['fieldBinding'],
] as const;
const OF_CONTAINER = [['methods'], ['operators']] as const;

/** @throws NotFound METHOD_NOT_FOUND, OPERATOR_NOT_FOUND, ENHANCEMENT_NOT_FOUND */
export function targetedBy(
  target: PatchTarget,
  { record, document }: WorkflowWithDocument,
): Targeted {
  const { fromConnector, fieldBinding } = document;
  switch (target.kind) {
    case 'workflow':
      return {
        id: null,
        value: { connectionId: record._id, nodeId: record.snapshotId, ...document },
        ids: OF_WHOLE,
        lists: OF_WORKFLOW,
        put: (value) => value,
      };
    case 'connector':
      return {
        id: null,
        value: fromConnector,
        ids: [],
        lists: OF_CONTAINER,
        put: (value) => ({ ...document, fromConnector: value }),
      };
    case 'method':
      return part(target, fromConnector.methods, (methods) => ({
        ...document,
        fromConnector: { ...fromConnector, methods },
      }));
    case 'operator':
      return part(target, fromConnector.operators, (operators) => ({
        ...document,
        fromConnector: { ...fromConnector, operators },
      }));
    case 'fieldBinding':
      return part(target, fieldBinding, (bindings) => ({ ...document, fieldBinding: bindings }));
  }
}

/** The id of a step or binding (`nodeId` in the 4.x line). */
export const idOfPart = (part: unknown): string | null => {
  const id = isJsonObject(part) ? (part.id ?? part.nodeId) : null;
  return typeof id === 'string' && id !== '' ? id : null;
};

function part(
  { kind, id }: Extract<PatchTarget, { readonly id: string }>,
  list: readonly JsonObject[],
  put: (list: readonly unknown[]) => unknown,
): Targeted {
  const position = list.findIndex((one) => idOfPart(one) === id);
  const value = list[position];
  if (!value)
    throw new NotFound(
      CODES[kind],
      `The workflow has no ${WORDS[kind]} ${JSON.stringify(id.slice(0, 100))}.`,
      { path: [kind] },
    );
  return {
    id,
    value,
    ids: [],
    lists: [],
    put: (changed) => put(list.with(position, changed as JsonObject)),
  };
}

/** The list that a pointer refers to; empty if there is none. */
export function listAt(document: WorkflowDocument, pointer: Pointer): readonly unknown[] {
  const value = pointer.reduce<unknown>(
    (inside, name) => (isJsonObject(inside) ? inside[name] : undefined),
    document,
  );
  return Array.isArray(value) ? value : [];
}

import type { Yielding, TimeSlice } from '../../platform/event-loop';
import type { Key } from './masking/document-rules';
import { keysOf } from './masking/document-rules';
import type { KnownValues } from './masking/known-values';
import { knownValuesOf } from './masking/known-values';
import { maskDocument } from './masking/mask-document';
import { isSameJson, roughLength } from './document/json';
import type { StepDocument, WorkflowDocument } from './document/workflow-document';
import type { WorkflowRecord } from './workflow.model';
import { TWO_CONTAINERS } from './document/two-containers';
import { valueDifferences } from './editing/differences';
import type { JsonObject } from './document/json';

/** A changed field such as `request.header.Accept`, with its masked values. */
interface FieldChange {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Maximum number of changed fields recorded per step. */
const MAX_FIELDS = 50;

/** The changed fields of a step, secrets masked, for the audit. */
function* fieldChanges(
  before: JsonObject,
  after: JsonObject,
  known: KnownValues,
  slice: TimeSlice,
): Yielding<FieldChange[]> {
  const differences = yield* valueDifferences(before, after, MAX_FIELDS, slice, known);
  return differences.map(({ path, ...shown }) => ({
    path: path.join('.'),
    before: shown.before ?? null,
    after: shown.after ?? null,
  }));
}

/** Maximum JSON length (approximate characters) of a deleted document that the audit keeps. */
export const MAX_DOCUMENT_CHARACTERS = 256 * 1024;
/**
 * Maximum number of changed fields recorded with values, over all steps; of others only the names.
 */
const MAX_VALUES = 300;

interface StepName {
  readonly id: string;
  readonly index: string | null;
  readonly name: unknown;
}

/**
 * The audit record of a workflow. Contains the snapshot id, not the document; and no hash, which
 * would allow testing guesses of a masked secret.
 */
export function recorded(record: WorkflowRecord): object {
  const { title, description, version, snapshotId, methods, operators } = record;
  return { title, description, version, snapshotId, methods, operators };
}

/**
 * The added, removed and changed steps with their changed fields, secrets masked; `parts` names
 * other changes.
 */
export function* recordedChange(
  before: WorkflowDocument | null,
  after: WorkflowDocument,
  slice: TimeSlice,
): Yielding<object> {
  const [old, now] = [yield* stepsOf(before, slice), yield* stepsOf(after, slice)];
  const hidden = yield* knownValuesOf([before, after], slice);
  let values = 0;
  const changed: object[] = [];
  for (const [key, step] of now) {
    const oldStep = old.get(key);
    if (oldStep === undefined) continue;
    const fields = yield* fieldChanges(oldStep, step, hidden, slice);
    const shown: (FieldChange | Pick<FieldChange, 'path'>)[] = fields.map((field) =>
      (values += 1) <= MAX_VALUES ? field : { path: field.path },
    );
    if (shown.length > 0) changed.push({ ...(yield* nameOf(step, hidden, slice)), fields: shown });
  }
  return {
    steps: {
      added: yield* namesOf(
        [...now].flatMap(([key, step]) => (old.has(key) ? [] : [step])),
        hidden,
        slice,
      ),
      removed: yield* namesOf(
        [...old].flatMap(([key, step]) => (now.has(key) ? [] : [step])),
        hidden,
        slice,
      ),
      changed,
    },
    parts: before === null ? [] : yield* changedParts(before, after, slice),
  };
}

/** The last document for the audit, and its length in characters. */
export interface LastDocument {
  readonly audited: object;
  readonly characters: number;
}

/**
 * The last document, secrets masked; if it is longer than `most` characters, only the names of its
 * steps.
 */
export function* recordedDocument(
  document: WorkflowDocument,
  most: number,
  slice: TimeSlice,
): Yielding<LastDocument> {
  const characters = yield* roughLength(document, slice);
  if (characters <= most)
    return { audited: { document: yield* maskDocument(document, slice) }, characters };
  return {
    audited: {
      documentCharacters: characters,
      steps: yield* namesOf(
        (yield* stepsOf(document, slice)).values(),
        yield* knownValuesOf([document], slice),
        slice,
      ),
    },
    characters: 0,
  };
}

function* stepsOf(
  document: WorkflowDocument | null,
  slice: TimeSlice,
): Yielding<Map<Key, StepDocument>> {
  if (document === null) return new Map();
  const steps: readonly StepDocument[] = [
    ...document.fromConnector.methods,
    ...document.fromConnector.operators,
  ];
  const keys = yield* keysOf(steps, 'names', slice);
  return new Map(steps.map((step, position) => [keys[position] ?? position, step]));
}

function* nameOf(
  { id, index, name, type }: StepDocument,
  hidden: KnownValues,
  slice: TimeSlice,
): Yielding<StepName> {
  return {
    id,
    index: index ?? null,
    name: typeof name === 'string' ? yield* hidden.hidden(name, slice) : (name ?? type ?? null),
  };
}

function* namesOf(
  steps: Iterable<StepDocument>,
  hidden: KnownValues,
  slice: TimeSlice,
): Yielding<StepName[]> {
  const names: StepName[] = [];
  for (const step of steps) names.push(yield* nameOf(step, hidden, slice));
  return names;
}

/** Names of the changed parts other than steps: the layout, bindings and fields of clients. */
function* changedParts(
  before: WorkflowDocument,
  after: WorkflowDocument,
  slice: TimeSlice,
): Yielding<string[]> {
  const [{ fromConnector: _old, ...old }, { fromConnector: _now, ...now }] = [before, after];
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  const changed: string[] = [];
  for (const name of names) {
    if (
      name !== TWO_CONTAINERS &&
      !(yield* isSameJson(
        (old as Record<string, unknown>)[name],
        (now as Record<string, unknown>)[name],
        slice,
      ))
    )
      changed.push(name);
  }
  return changed;
}

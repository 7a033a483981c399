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
function fieldChanges(before: JsonObject, after: JsonObject, secrets: KnownValues): FieldChange[] {
  const differences = valueDifferences(before, after, MAX_FIELDS, secrets);
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
export function recordedChange(before: WorkflowDocument | null, after: WorkflowDocument): object {
  const [old, now] = [stepsOf(before), stepsOf(after)];
  const hidden = knownValuesOf([before, after]);
  let values = 0;
  const changed: object[] = [];
  for (const [key, step] of now) {
    const oldStep = old.get(key);
    if (oldStep === undefined) continue;
    const fields = fieldChanges(oldStep, step, hidden);
    const shown: (FieldChange | Pick<FieldChange, 'path'>)[] = fields.map((field) =>
      (values += 1) <= MAX_VALUES ? field : { path: field.path },
    );
    if (shown.length > 0) changed.push({ ...nameOf(step, hidden), fields: shown });
  }
  return {
    steps: {
      added: namesOf(
        [...now].flatMap(([key, step]) => (old.has(key) ? [] : [step])),
        hidden,
      ),
      removed: namesOf(
        [...old].flatMap(([key, step]) => (now.has(key) ? [] : [step])),
        hidden,
      ),
      changed,
    },
    parts: before === null ? [] : changedParts(before, after),
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
export function recordedDocument(document: WorkflowDocument, most: number): LastDocument {
  const characters = roughLength(document);
  if (characters <= most) return { audited: { document: maskDocument(document) }, characters };
  return {
    audited: {
      documentCharacters: characters,
      steps: namesOf(stepsOf(document).values(), knownValuesOf([document])),
    },
    characters: 0,
  };
}

function stepsOf(document: WorkflowDocument | null): Map<Key, StepDocument> {
  if (document === null) return new Map();
  const steps: readonly StepDocument[] = [
    ...document.fromConnector.methods,
    ...document.fromConnector.operators,
  ];
  const keys = keysOf(steps, 'names');
  return new Map(steps.map((step, position) => [keys[position] ?? position, step]));
}

function nameOf({ id, index, name, type }: StepDocument, hidden: KnownValues): StepName {
  return {
    id,
    index: index ?? null,
    name: typeof name === 'string' ? hidden.hidden(name) : (name ?? type ?? null),
  };
}

function namesOf(steps: Iterable<StepDocument>, hidden: KnownValues): StepName[] {
  return Array.from(steps, (step) => nameOf(step, hidden));
}

/** Names of the changed parts other than steps: the layout, bindings and fields of clients. */
function changedParts(before: WorkflowDocument, after: WorkflowDocument): string[] {
  const [{ fromConnector: _old, ...old }, { fromConnector: _now, ...now }] = [before, after];
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  const changed: string[] = [];
  for (const name of names) {
    if (
      name !== TWO_CONTAINERS &&
      !isSameJson((old as Record<string, unknown>)[name], (now as Record<string, unknown>)[name])
    )
      changed.push(name);
  }
  return changed;
}

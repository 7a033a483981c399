import type { Steps, Turn } from '../../platform/json/turns';
import type { Key } from './masking/document-rules';
import { keysOf } from './masking/document-rules';
import type { KnownValues } from './masking/known-values';
import { knownValuesOf } from './masking/known-values';
import { maskDocument } from './masking/mask-document';
import { isSameJson, roughLength } from './json';
import type { StepDocument, WorkflowDocument } from './workflow.document';
import type { WorkflowRecord } from './workflow.model';
import { valueDifferences } from './diff/value-differences';
import type { JsonObject } from './json';

/** A field that was changed: `request.header.Accept`, and what is shown of its value before and after. */
interface FieldChange {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Fields of one step that are told. */
const MOST_FIELDS = 50;

/** The fields in which two steps differ, secrets masked, as the audit keeps them. */
function* fieldChanges(
  before: JsonObject,
  after: JsonObject,
  known: KnownValues,
  turn: Turn,
): Steps<FieldChange[]> {
  const differences = yield* valueDifferences(before, after, MOST_FIELDS, turn, known);
  return differences.map(({ path, ...shown }) => ({
    path: path.join('.'),
    before: shown.before ?? null,
    after: shown.after ?? null,
  }));
}

/** Characters of JSON text, roughly, up to which the audit keeps the last document of a workflow. */
export const LARGEST_DOCUMENT = 256 * 1024;
/** Changed fields that are told with their values, over all steps; of the others the audit keeps the names. */
const MOST_VALUES = 300;

interface StepName {
  readonly id: string;
  readonly index: string | null;
  readonly name: unknown;
}

/** What the audit keeps of a workflow: the document itself is in the version snapshot it names. Not its hash, against which guesses of a masked secret could be tested. */
export function recorded(record: WorkflowRecord): object {
  const { title, description, version, snapshotId, methods, operators } = record;
  return { title, description, version, snapshotId, methods, operators };
}

/** Which steps a save added, removed and changed, with what was changed in them, secrets masked; `parts` names what else it changed. */
export function* recordedChange(
  before: WorkflowDocument | null,
  after: WorkflowDocument,
  turn: Turn,
): Steps<object> {
  const [old, now] = [yield* stepsOf(before, turn), yield* stepsOf(after, turn)];
  const hidden = yield* knownValuesOf([before, after], turn);
  let values = 0;
  const changed: object[] = [];
  for (const [key, step] of now) {
    const known = old.get(key);
    if (known === undefined) continue;
    const fields = yield* fieldChanges(known, step, hidden, turn);
    const told: (FieldChange | Pick<FieldChange, 'path'>)[] = fields.map((field) =>
      (values += 1) <= MOST_VALUES ? field : { path: field.path },
    );
    if (told.length > 0) changed.push({ ...(yield* nameOf(step, hidden, turn)), fields: told });
  }
  return {
    steps: {
      added: yield* namesOf(
        [...now].flatMap(([key, step]) => (old.has(key) ? [] : [step])),
        hidden,
        turn,
      ),
      removed: yield* namesOf(
        [...old].flatMap(([key, step]) => (now.has(key) ? [] : [step])),
        hidden,
        turn,
      ),
      changed,
    },
    parts: before === null ? [] : yield* changedParts(before, after, turn),
  };
}

/** The last document of a workflow, and how many characters of it the audit keeps. */
export interface LastDocument {
  readonly told: object;
  readonly characters: number;
}

/** The last document of a workflow, secrets masked; of one with more than `most` characters the names of its steps. */
export function* recordedDocument(
  document: WorkflowDocument,
  most: number,
  turn: Turn,
): Steps<LastDocument> {
  const characters = yield* roughLength(document, turn);
  if (characters <= most)
    return { told: { document: yield* maskDocument(document, turn) }, characters };
  return {
    told: {
      documentCharacters: characters,
      steps: yield* namesOf(
        (yield* stepsOf(document, turn)).values(),
        yield* knownValuesOf([document], turn),
        turn,
      ),
    },
    characters: 0,
  };
}

function* stepsOf(document: WorkflowDocument | null, turn: Turn): Steps<Map<Key, StepDocument>> {
  if (document === null) return new Map();
  const steps: readonly StepDocument[] = [
    ...document.fromConnector.methods,
    ...document.fromConnector.operators,
  ];
  const keys = yield* keysOf(steps, 'names', turn);
  return new Map(steps.map((step, position) => [keys[position] ?? position, step]));
}

function* nameOf(
  { id, index, name, type }: StepDocument,
  hidden: KnownValues,
  turn: Turn,
): Steps<StepName> {
  return {
    id,
    index: index ?? null,
    name: typeof name === 'string' ? yield* hidden.hidden(name, turn) : (name ?? type ?? null),
  };
}

function* namesOf(
  steps: Iterable<StepDocument>,
  hidden: KnownValues,
  turn: Turn,
): Steps<StepName[]> {
  const names: StepName[] = [];
  for (const step of steps) names.push(yield* nameOf(step, hidden, turn));
  return names;
}

/** What stands beside the steps: the layout, bindings, and whatever else a client keeps in a document. */
function* changedParts(
  before: WorkflowDocument,
  after: WorkflowDocument,
  turn: Turn,
): Steps<string[]> {
  const [{ fromConnector: _old, ...old }, { fromConnector: _now, ...now }] = [before, after];
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  const changed: string[] = [];
  for (const name of names) {
    if (
      !(yield* isSameJson(
        (old as Record<string, unknown>)[name],
        (now as Record<string, unknown>)[name],
        turn,
      ))
    )
      changed.push(name);
  }
  return changed;
}

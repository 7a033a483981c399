import { expressionToCondition, wrapBareBody } from '../../../engine';
import { isJsonObject } from './json';
import type { JsonObject } from './json';
import { partIdOf } from './part-ids';
import { bindingFor4x, spelledFor4x } from './released-spelling';
import { isConditionOf, parseNotes, TWO_CONTAINERS } from './two-containers';
import type { PartNotes, TwoContainers } from './two-containers';
import type { StepDocument, WorkflowDocument } from './document-shape';

/** The conditions of operators; null if no condition means the same as the expression. */
export type Conditions = ReadonlyMap<StepDocument, JsonObject | null>;

/** Fields of methods and operators that 4.x clients do not have. */
export const UNKNOWN_TO_4X: readonly string[] = ['id', 'connector', 'methodType', 'expression'];

export function methodOf(method: JsonObject, notes: PartNotes | null): JsonObject {
  const part = partOf(method, notes, UNKNOWN_TO_4X);
  const shown =
    part.request === undefined ? part : { ...part, request: spelledFor4x(part.request) };
  return notes?.bareBody === true ? withBareBody(shown) : shown;
}

export function operatorOf(
  operator: JsonObject,
  condition: JsonObject,
  notes: PartNotes | null,
): JsonObject {
  return { ...partOf(operator, notes, UNKNOWN_TO_4X), condition };
}

export function partOf(
  part: JsonObject,
  notes: PartNotes | null,
  unknownFields: readonly string[],
): JsonObject {
  const { condition: _condition, ...fields } = notes?.fields ?? {};
  return {
    ...withoutFields(part, new Set(notes === null ? unknownFields : notes.without)),
    ...fields,
  };
}

export const withoutFields = (object: JsonObject, names: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.has(name)));

/** The field bindings in the spelling of a 4.x client, with their ids. */
export function shownBindings(document: WorkflowDocument): JsonObject[] {
  const shown: JsonObject[] = [];
  const views = bindingsOf(document.fieldBinding, parseNotes(document[TWO_CONTAINERS]));
  for (const [at, { id, nodeId }] of document.fieldBinding.entries())
    shown.push({
      ...views[at],
      ...(id !== undefined && { id }),
      ...(nodeId !== undefined && { nodeId }),
    });
  return shown;
}

/** Undoes `wrapBareBody`, unless the body was changed so that it is no longer bare. */
function withBareBody(method: JsonObject): JsonObject {
  const { request } = method;
  if (!isJsonObject(request) || !isJsonObject(request.body)) return method;
  const { fields } = request.body;
  const isWrapped = JSON.stringify(wrapBareBody(fields)) === JSON.stringify(request.body);
  return isWrapped ? { ...method, request: { ...request, body: fields } } : method;
}

/** The conditions of the operators; null if no condition means the same as the expression. */
export function conditionsOf(
  { fromConnector }: WorkflowDocument,
  notes: TwoContainers | null,
): Conditions {
  const noteById = notesById(notes);
  const conditions = new Map<StepDocument, JsonObject | null>();
  for (const step of fromConnector.operators) {
    conditions.set(step, conditionOf(step, noteById));
  }
  return conditions;
}

const notesById = (notes: TwoContainers | null): Map<string, PartNotes> =>
  new Map(
    [...(notes?.from.operators ?? []), ...(notes?.to.operators ?? [])].map((note) => [
      note.id,
      note,
    ]),
  );

/**
 * The condition of an operator: the written one, if the expression still means the same. Null if no
 * condition means the same.
 */
function conditionOf(
  operator: JsonObject,
  notes: ReadonlyMap<string, PartNotes>,
): JsonObject | null {
  const written = notes.get(String(operator.id))?.fields?.condition;
  for (const condition of [written, operator.condition])
    if (isJsonObject(condition) && isConditionOf(condition, operator)) return condition;
  const { type, expression } = operator;
  if (typeof type !== 'string' || typeof expression !== 'string') return null;
  return expressionToCondition(type, expression) as JsonObject | null;
}

export function bindingsOf(
  bindings: readonly JsonObject[],
  notes: TwoContainers | null,
): JsonObject[] {
  const noteById = new Map((notes?.bindings ?? []).map((note) => [note.id, note]));
  const shown: JsonObject[] = [];
  for (const binding of bindings) {
    const note = noteById.get(partIdOf(binding) ?? '');
    const spelled = note && note.isSpelledBy5x !== true ? binding : bindingFor4x(binding);
    shown.push(note ? partOf(spelled, note, []) : spelled);
  }
  return shown;
}

import { conditionToExpression, isSameCondition, wrapBareBody } from '../../../engine';
import { isJsonObject, isSameJson } from './json';
import type { JsonObject } from './json';
import { partIdOf } from './part-ids';
import { idOf } from './record-id';
import type { WorkflowDocument } from './document-shape';

/**
 * What a document of the 5.0 shape does not say about the 4.x document that it was converted from.
 * Stored as `twoContainers` of the document, so that versions, copies and exports have it too.
 * Responses of the documented dialect do not contain it.
 */
export interface TwoContainers extends JsonObject {
  readonly from: SideNotes;
  readonly to: SideNotes;
  readonly bindings: readonly PartNotes[];
  /** Fields of the document that the 4.x document did not have. */
  readonly without: readonly string[];
}

export interface SideNotes extends JsonObject {
  /** `connectorId`, `title` and `invoker` of the container, as far as written. */
  readonly connector: JsonObject;
  /** Its other fields, such as the layout. */
  readonly container: JsonObject;
  /** Its steps in the written order. */
  readonly methods: readonly PartNotes[];
  readonly operators: readonly PartNotes[];
}

/** Notes on a step or binding. */
export interface PartNotes extends JsonObject {
  readonly id: string;
  /** Fields that the conversion added. */
  readonly without: readonly string[];
  /** Fields that the conversion changed, as written; and the condition of an operator. */
  readonly fields?: JsonObject;
  /** True if the request body was written as bare JSON. */
  readonly bareBody?: true;
  /** True for a field binding that is stored in the spelling of the 5.x editor. */
  readonly isSpelledBy5x?: true;
}

/** Name of the notes in a document. */
export const TWO_CONTAINERS = 'twoContainers';

/** Returns the document as clients of the 5.0 shape see it. */
export function withoutNotes<D extends JsonObject>(document: D): Omit<D, typeof TWO_CONTAINERS> {
  const { [TWO_CONTAINERS]: _notes, ...shown } = document;
  return shown;
}

const CONNECTOR_FIELDS: ReadonlySet<string> = new Set(['connectorId', 'title', 'invoker']);

/**
 * Compares a 4.x document with its conversion.
 * @param document the conversion: the steps of the from side, then those of the to side, each in
 * the written order
 * @returns null if `fromConnector` names no connector: a 4.x client writes no such document
 */
export function describeTwoContainers(
  written: JsonObject,
  document: WorkflowDocument,
): TwoContainers | null {
  const [from, to] = [containerOf(written.fromConnector), containerOf(written.toConnector)];
  if (idOf(from.connectorId) === null) return null;
  const { methods, operators } = document.fromConnector;
  const [firstMethods, firstOperators] = [from.methods, from.operators].map(
    (steps) => partsIn(steps).length,
  );
  return {
    from: {
      ...describeContainer(from),
      methods: describeParts(from.methods, methods),
      operators: describeParts(from.operators, operators),
    },
    to: {
      ...describeContainer(to),
      methods: describeParts(to.methods, methods.slice(firstMethods)),
      operators: describeParts(to.operators, operators.slice(firstOperators)),
    },
    bindings: describeParts(written.fieldBinding, document.fieldBinding),
    without: namesOnlyIn(document, written).filter(
      (name) => !ALWAYS_SHOWN.has(name) && name !== TWO_CONTAINERS,
    ),
  };
}

const ALWAYS_SHOWN: ReadonlySet<string> = new Set([
  'title',
  'fromConnector',
  'toConnector',
  'fieldBinding',
]);

const containerOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});
const partsIn = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];
const namesOnlyIn = (one: JsonObject, other: JsonObject): string[] =>
  Object.keys(one).filter((name) => !Object.hasOwn(other, name));

/** Reduces an invoker, which may be large, to its name. */
export const onlyName = (invoker: unknown): unknown =>
  isJsonObject(invoker) && 'name' in invoker ? { name: invoker.name } : invoker;

function describeContainer(container: JsonObject): Pick<SideNotes, 'connector' | 'container'> {
  const { methods: _methods, operators: _operators, ...fields } = container;
  const entries = Object.entries(fields);
  return {
    connector: Object.fromEntries(
      entries
        .filter(([name]) => CONNECTOR_FIELDS.has(name))
        .map(([name, value]) => [name, name === 'invoker' ? onlyName(value) : value]),
    ),
    container: Object.fromEntries(entries.filter(([name]) => !CONNECTOR_FIELDS.has(name))),
  };
}

function describeParts(written: unknown, converted: readonly JsonObject[]): PartNotes[] {
  const notes: PartNotes[] = [];
  for (const part of partsIn(written)) {
    const other = converted[notes.length];
    const fields = changedFields(part, other);
    notes.push({
      id: partIdOf(other) ?? '',
      without: namesOnlyIn(other, part),
      ...(Object.keys(fields).length > 0 && { fields }),
      ...(hasBareBody(part) && { bareBody: true }),
      ...(isSpelledElsewise(part, other) && { isSpelledBy5x: true }),
    });
  }
  return notes;
}

/** Fields of a binding that are shown in the spelling of the client. */
const SPELLED = ['from', 'to', 'enhancement'];
/** Fields that can be derived from the converted part. */
const DERIVED: ReadonlySet<string> = new Set(['index', 'request', ...SPELLED]);

function isSpelledElsewise(written: JsonObject, converted: JsonObject): boolean {
  for (const name of SPELLED) if (!isSameJson(written[name], converted[name])) return true;
  return false;
}

function changedFields(written: JsonObject, converted: JsonObject): JsonObject {
  const changed: [string, unknown][] = [];
  for (const [name, value] of Object.entries(written)) {
    const isDropped = name === 'condition' && !isExpression(written.expression);
    const isChanged = !DERIVED.has(name) && !isSameJson(value, own(converted, name));
    if (isDropped || isChanged) changed.push([name, value]);
  }
  return Object.fromEntries(changed);
}

const own = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

const isExpression = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

const hasBareBody = ({ request }: JsonObject): boolean =>
  isJsonObject(request) && wrapBareBody(request.body) !== request.body;

/**
 * Parses the notes of a document that was changed in the 5.0 shape, and removes what no longer
 * belongs to it.
 * @returns null if there are none, or none of the steps is left
 */
export function currentNotes(value: unknown, document: WorkflowDocument): TwoContainers | null {
  const notes = parseNotes(value);
  if (notes === null) return null;
  const { methods, operators } = document.fromConnector;
  const steps = new Map([...methods, ...operators].map((step) => [step.id, step]));
  const bindings = new Map(document.fieldBinding.map((part) => [partIdOf(part), part]));
  const all = [notes.from, notes.to].flatMap((side) => [...side.methods, ...side.operators]);
  if (all.length > 0 && !all.some(({ id }) => steps.has(id))) return null;
  return {
    ...notes,
    from: currentSide(notes.from, steps),
    to: currentSide(notes.to, steps),
    bindings: notes.bindings.filter(({ id }) => bindings.has(id)),
  };
}

function currentSide(side: SideNotes, steps: ReadonlyMap<string, JsonObject>): SideNotes {
  return {
    ...side,
    methods: side.methods.filter(({ id }) => steps.has(id)),
    operators: currentOperators(side.operators, steps),
  };
}

/** Forgets conditions that differ from the expression. */
function currentOperators(
  notes: readonly PartNotes[],
  steps: ReadonlyMap<string, JsonObject>,
): PartNotes[] {
  const current: PartNotes[] = [];
  for (const note of notes) {
    const step = steps.get(note.id);
    if (!step) continue;
    const { fields: { condition, ...fields } = {}, ...rest } = note;
    const isKept = condition === undefined || isConditionOf(condition, step);
    current.push(isKept ? note : { ...rest, ...(Object.keys(fields).length > 0 && { fields }) });
  }
  return current;
}

/** Returns whether a condition means the same as the expression of an operator. */
export function isConditionOf(condition: unknown, { type, expression }: JsonObject): boolean {
  const kind = typeof type === 'string' ? type : null;
  const derived = conditionToExpression({ type: kind, condition });
  return (
    derived !== null &&
    typeof expression === 'string' &&
    isSameCondition(kind, derived, expression.trim())
  );
}

/** Returns null for anything else: the notes may come from an imported file. */
export function parseNotes(value: unknown): TwoContainers | null {
  if (!isJsonObject(value)) return null;
  const { from, to, bindings, without } = value;
  const isSide = (side: unknown): boolean =>
    isJsonObject(side) &&
    isJsonObject(side.connector) &&
    isJsonObject(side.container) &&
    areParts(side.methods) &&
    areParts(side.operators);
  const isValid = isSide(from) && isSide(to) && areParts(bindings) && areTexts(without);
  return isValid ? (value as unknown as TwoContainers) : null;
}

const areTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((name) => typeof name === 'string');

const areParts = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every(
    (part) =>
      isJsonObject(part) &&
      typeof part.id === 'string' &&
      areTexts(part.without) &&
      (part.fields === undefined || isJsonObject(part.fields)),
  );

/** The connectors of both containers; a container without steps has one too. */
export function notedConnectors(document: JsonObject): JsonObject[] {
  const notes = parseNotes(document[TWO_CONTAINERS]);
  return notes === null ? [] : [notes.from.connector, notes.to.connector];
}

/**
 * Changes the connectors of the notes, for templates, which number them.
 * @param left fields of containers to leave out
 */
export function withNotedConnectors<D extends JsonObject>(
  document: D,
  change: (connector: JsonObject) => JsonObject,
  left: ReadonlySet<string> = new Set(),
): D {
  const notes = parseNotes(document[TWO_CONTAINERS]);
  if (notes === null) return document;
  const changed = (side: 'from' | 'to'): SideNotes => ({
    ...notes[side],
    connector: change(notes[side].connector),
    container: Object.fromEntries(
      Object.entries(notes[side].container).filter(([name]) => !left.has(name)),
    ),
  });
  return { ...document, [TWO_CONTAINERS]: { ...notes, from: changed('from'), to: changed('to') } };
}

import { isJsonObject } from './json';
import type { JsonObject } from './json';
import {
  bindingsOf,
  conditionsOf,
  methodOf,
  operatorOf,
  partOf,
  UNKNOWN_TO_4X,
  withoutFields,
} from './released-parts';
import type { Conditions } from './released-parts';
import { parseNotes, TWO_CONTAINERS } from './two-containers';
import type { PartNotes, SideNotes } from './two-containers';
import { connectorKey, divideSteps, nameOf } from './two-sides';
import type { Side, TwoSides } from './two-sides';
import type { StepDocument, WorkflowDocument } from './document-shape';

/** A workflow as a 4.x client sees it. */
interface TwoContainerView {
  /** A document of the 4.x shape. */
  readonly document: JsonObject;
  /**
   * Null if a 4.x client may save it. Otherwise why not: the document then shows all steps, but not
   * all that they do, and must not be saved.
   */
  readonly readOnly: string | null;
}

/**
 * Converts a workflow to the 4.x shape. Returns what a 4.x client wrote, if it was not changed
 * since; of a workflow that was changed in the 5.0 shape, what the change did not replace.
 */
export function toTwoContainers(document: WorkflowDocument): TwoContainerView {
  const notes = parseNotes(document[TWO_CONTAINERS]);
  const operators = conditionsOf(document, notes);
  const sides = divideSteps(document, notes);
  const hard = [...operators].find(([, condition]) => condition === null)?.[0];
  const readOnly =
    sides.reason ??
    (hard ? `the expression of ${nameOf(hard)} cannot be written as a condition` : null);
  if (sides.reason !== null || readOnly !== null)
    return { document: readOnlyView(document, operators), readOnly };
  const container = (side: Side): JsonObject =>
    containerOf(document, { side, sides, notes: notes?.[side] ?? null, operators });
  const { fromConnector: _from, toConnector: _to, fieldBinding, ...rest } = document;
  const hidden = new Set([TWO_CONTAINERS, ...(notes?.without ?? [])]);
  return {
    readOnly,
    document: {
      ...withoutFields(rest, hidden),
      fromConnector: container('from'),
      toConnector: container('to'),
      fieldBinding: bindingsOf(fieldBinding, notes),
    },
  };
}

type PlacedSides = Extract<TwoSides, { reason: null }>;

interface ContainerParts {
  readonly side: Side;
  readonly sides: PlacedSides;
  readonly notes: SideNotes | null;
  readonly operators: Conditions;
}

function containerOf(
  { fromConnector }: WorkflowDocument,
  { side, sides, notes, operators }: ContainerParts,
): JsonObject {
  const onSide = (step: StepDocument): boolean => sides.places.get(step)?.side === side;
  const indexed = (step: JsonObject, of: StepDocument): JsonObject => {
    const index = sides.places.get(of)?.index;
    return index == null ? step : { ...step, index };
  };
  const methods = inWrittenOrder(fromConnector.methods.filter(onSide), notes?.methods ?? []);
  const conditions = inWrittenOrder(fromConnector.operators.filter(onSide), notes?.operators ?? []);
  const shown: JsonObject[] = methods.map(([step, note]) => methodOf(indexed(step, step), note));
  return {
    ...connectorOf(sides.connectors[side], notes),
    methods: shown,
    operators: conditions.map(([step, note]) =>
      operatorOf(indexed(step, step), operators.get(step) ?? {}, note),
    ),
  };
}

/** The container as written, unless its methods call another connector now. */
function connectorOf(called: JsonObject | null, notes: SideNotes | null): JsonObject {
  const { container = {}, connector = null } = notes ?? {};
  if (connector && (!called || connectorKey(called) === connectorKey(connector)))
    return { ...container, ...connector };
  const { icon: _icon, sslCert: _cert, timeout: _timeout, ...layout } = container;
  const { connectorId = 0, title, invoker } = called ?? {};
  const name = isJsonObject(invoker) ? invoker.name : invoker;
  return {
    ...layout,
    connectorId,
    ...(typeof title === 'string' && { title }),
    ...(typeof name === 'string' && { invoker: { name } }),
  };
}

/** Steps that were written by a 4.x client in the order of that client, then all others. */
function inWrittenOrder<S extends StepDocument>(
  steps: readonly S[],
  notes: readonly PartNotes[],
): [S, PartNotes | null][] {
  const places = new Map(notes.map((note, at) => [note.id, { note, at }]));
  return steps
    .map((step) => ({ step, placed: places.get(step.id) ?? null }))
    .sort((a, b) => (a.placed?.at ?? notes.length) - (b.placed?.at ?? notes.length))
    .map(({ step, placed }) => [step, placed?.note ?? null]);
}

/**
 * A view of a workflow that a 4.x client cannot save: all steps in the first container, with the
 * connectors that it calls first.
 */
function readOnlyView(document: WorkflowDocument, conditions: Conditions): JsonObject {
  const { fromConnector, toConnector: _to, ...rest } = document;
  const { from: first, to: second } = firstConnectors(document);
  return {
    ...withoutFields(rest, new Set([TWO_CONTAINERS])),
    fromConnector: {
      ...connectorOf(first, null),
      methods: fromConnector.methods.map((step) => partOf(step, null, UNKNOWN_TO_4X)),
      operators: fromConnector.operators.map((step) =>
        operatorOf(step, conditions.get(step) ?? NO_CONDITION, null),
      ),
    },
    toConnector: { ...connectorOf(second, null), methods: [], operators: [] },
  };
}

/** The first two connectors that a workflow calls; if it calls only one, twice that. */
function firstConnectors({ fromConnector }: WorkflowDocument): Record<Side, JsonObject | null> {
  const connectors = fromConnector.methods.map(({ connector }) => connector).filter(isJsonObject);
  const from = connectors.at(0) ?? null;
  const other = connectors.find((one) => from && connectorKey(one) !== connectorKey(from));
  return { from, to: other ?? from };
}

/** The connectors of the containers that a 4.x client sees; null if there is none. */
export function containerConnectors(document: WorkflowDocument): Record<Side, JsonObject | null> {
  const notes = parseNotes(document[TWO_CONTAINERS]);
  const sides = divideSteps(document, notes);
  if (sides.reason !== null) return firstConnectors(document);
  const { from, to } = sides.connectors;
  return {
    from: from ?? notes?.from.connector ?? null,
    to: to ?? notes?.to.connector ?? null,
  };
}

const NO_STATEMENT: JsonObject = { color: '', field: '', type: '', rightPropertyValue: '' };
const NO_CONDITION: JsonObject = {
  leftStatement: NO_STATEMENT,
  relationalOperator: '',
  rightStatement: NO_STATEMENT,
};

import { conditionToExpression, stepTypeOf, wrapBareBody } from '../../../engine';
import type { JsonObject } from './json';
import { isJsonObject } from './json';
import { idOf, namesRecord } from './record-id';
import { onlyName } from './two-containers';

/**
 * Returns whether a document has the 4.x shape: two containers, or one with a real connector. True
 * also for half-converted documents: one container with everything, and a second one.
 */
export function isLegacyDocument({ fromConnector, toConnector }: JsonObject): boolean {
  if (isJsonObject(toConnector)) return fromConnector == null || isJsonObject(fromConnector);
  return toConnector == null && isJsonObject(fromConnector) && isReal(fromConnector);
}

/**
 * Converts a document of any version to the 5.0 shape. Returns the same object if nothing changes.
 */
export function inCurrentShape(document: JsonObject): JsonObject {
  return withWrappedBodies(isLegacyDocument(document) ? fromLegacyDocument(document) : document);
}

/**
 * Converts a document of the 4.x shape to the 5.0 shape (spec 9.2): each method gets its connector,
 * indexes of the from side get the prefix `0_`, those of the to side `1_`, and all steps move to
 * one container. `fieldBinding` is unchanged because colours identify methods on both sides. Other
 * fields of the containers are kept; those of the to side get a name that begins with `to`
 * (`businessLayout`, `toBusinessLayout`). Operators that have only a `condition` get an equivalent
 * `expression`.
 */
export function fromLegacyDocument(document: JsonObject): JsonObject {
  const [from, to] = [containerOf(document.fromConnector), containerOf(document.toConnector)];
  const [source, target] = [isInPlace(from, to) ? asItIs : prefixing('0'), prefixing('1')];
  const methods = [
    ...each(from.methods, source, stamping(from)),
    ...each(to.methods, target, stamping(to)),
  ];
  const operators = [
    ...each(from.operators, source, withExpression),
    ...each(to.operators, target, withExpression),
  ];
  return {
    ...document,
    fromConnector: { ...leftovers(from, to), ...HOLDER, methods, operators },
    toConnector: null,
  };
}

const containerOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/**
 * Returns whether the container names a connector. The 5.0 container and one without an id do not.
 */
const isReal = ({ connectorId }: JsonObject): boolean => idOf(connectorId) !== null;

/** A list with entries that are not objects is passed on: a later check reports it. */
const listOf = (value: unknown): unknown[] =>
  value == null ? [] : Array.isArray(value) ? (value as unknown[]) : [value];

/**
 * Half-converted: the steps of the from side already sort before all steps with the prefix `1_`.
 */
function isInPlace(from: JsonObject, to: JsonObject): boolean {
  if (isReal(from)) return false;
  const hasTarget = [to.methods, to.operators].some((steps) => listOf(steps).length > 0);
  return (
    !hasTarget ||
    [from.methods, from.operators]
      .flatMap(listOf)
      .every((step) => !hasIndex(step) || /^0(?:_|$)/.test(step.index))
  );
}

const hasIndex = (step: unknown): step is JsonObject & { readonly index: string } =>
  isJsonObject(step) && typeof step.index === 'string';

type StepChange = (step: unknown) => unknown;

const each = (steps: unknown, first: StepChange, second: StepChange): unknown[] =>
  listOf(steps).map((step) => second(first(step)));

const asItIs: StepChange = (step) => step;

/** All steps of a side get the same prefix, so their order is unchanged. */
const prefixing =
  (side: '0' | '1'): StepChange =>
  (step) =>
    hasIndex(step) ? { ...step, index: `${side}_${step.index}` } : step;

/**
 * Copies the connector of the container into a method, even an invalid id: the save checks it. Of
 * the invoker only the name is copied: an invoker may be large, and there are many methods.
 */
function stamping(container: JsonObject): StepChange {
  const { connectorId, title, invoker } = container;
  const stamp = namesRecord(connectorId)
    ? {
        connectorId,
        ...(title === undefined ? {} : { title }),
        ...(invoker === undefined ? {} : { invoker: onlyName(invoker) }),
      }
    : null;
  return (method) => {
    if (!isJsonObject(method)) return method;
    const isStamped =
      method.connector != null ||
      stepTypeOf(method.methodType)?.callsConnector === false ||
      stamp === null;
    return {
      ...method,
      ...(isStamped ? {} : { connector: stamp }),
      methodType: method.methodType ?? null,
    };
  };
}

function withExpression(operator: unknown): unknown {
  if (!isJsonObject(operator)) return operator;
  const { expression } = operator;
  if (expression != null && (typeof expression !== 'string' || expression.trim() !== ''))
    return operator;
  const derived = conditionToExpression({
    type: typeof operator.type === 'string' ? operator.type : null,
    condition: operator.condition,
  });
  return derived === null ? operator : { ...operator, expression: derived };
}

/** The container of the 5.0 shape. */
const HOLDER: JsonObject = { connectorId: -1, title: 'DEFAULT' };

/**
 * Fields of the 5.0 container itself: fields of the old containers with these names are renamed.
 */
const OWN = new Set(['connectorId', 'title', 'invoker']);
const STEPS = new Set(['methods', 'operators']);

/** The other fields of the old containers, renamed where a name is already in use. */
function leftovers(from: JsonObject, to: JsonObject): JsonObject {
  const fields = new Map<string, unknown>();
  const keep = (name: string, value: unknown): void => {
    let free = name;
    while (fields.has(free) || OWN.has(free) || STEPS.has(free)) free = `${free}_`;
    fields.set(free, value);
  };
  for (const [name, value] of Object.entries(from))
    if (!OWN.has(name) && !STEPS.has(name)) keep(name, value);
  for (const [name, value] of Object.entries(from))
    if (OWN.has(name) && HOLDER[name] !== value) keep(prefixed('from', name), value);
  for (const [name, value] of Object.entries(to))
    if (!STEPS.has(name)) keep(prefixed('to', name), value);
  return Object.fromEntries(fields);
}

const prefixed = (side: string, name: string): string =>
  `${side}${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** Converts request bodies that are bare JSON to the `fields` of a body. */
function withWrappedBodies(document: JsonObject): JsonObject {
  const { fromConnector } = document;
  if (!isJsonObject(fromConnector) || !Array.isArray(fromConnector.methods)) return document;
  let isChanged = false;
  const methods: unknown[] = [];
  for (const method of fromConnector.methods as unknown[]) {
    const wrapped = withWrappedBody(method);
    isChanged ||= wrapped !== method;
    methods.push(wrapped);
  }
  return isChanged ? { ...document, fromConnector: { ...fromConnector, methods } } : document;
}

function withWrappedBody(method: unknown): unknown {
  if (!isJsonObject(method) || !isJsonObject(method.request)) return method;
  const body = wrapBareBody(method.request.body);
  return body === method.request.body
    ? method
    : { ...method, request: { ...method.request, body } };
}

import { conditionToExpression } from '../../../engine';
import type { Steps, Turn } from '../../../platform/json/turns';
import type { JsonObject } from '../json';
import { isJsonObject } from '../json';
import { idOf, namesRecord } from '../references/record-id';

/**
 * Is this the shape of the 4.x line: a second container, or one that is a real connector? Also what a client or an interrupted conversion
 * left halfway: one container that holds everything, and a second one beside it.
 */
export function isLegacyDocument({ fromConnector, toConnector }: JsonObject): boolean {
  if (isJsonObject(toConnector)) return fromConnector == null || isJsonObject(fromConnector);
  return toConnector == null && isJsonObject(fromConnector) && isReal(fromConnector);
}

/**
 * The 5.0 shape of a document of the 4.x shape (spec 9.2): each method is stamped with its connector, indexes of the former from side get the
 * prefix `0_`, those of the to side `1_`, and everything stands in one container. `fieldBinding` stays as it is: colours identify methods
 * on both sides. No field is lost: what else stood in the from container stands in the one there is now, what stood in the to container
 * beside it under a name that begins with `to` (`businessLayout` and `toBusinessLayout`). Operators that say only a `condition` get an
 * `expression` that means the same.
 */
export function* fromLegacyDocument(document: JsonObject, turn: Turn): Steps<JsonObject> {
  const [from, to] = [containerOf(document.fromConnector), containerOf(document.toConnector)];
  const [source, target] = [isInPlace(from, to) ? asItIs : prefixing('0'), prefixing('1')];
  const methods = [
    ...(yield* each(from.methods, turn, source, stamping(from))),
    ...(yield* each(to.methods, turn, target, stamping(to))),
  ];
  const operators = [
    ...(yield* each(from.operators, turn, source, withExpression)),
    ...(yield* each(to.operators, turn, target, withExpression)),
  ];
  return {
    ...document,
    fromConnector: {
      ...leftovers(from, to),
      ...HOLDER,
      methods,
      operators,
    },
    toConnector: null,
  };
}

const containerOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** Is it a connector that exists, or did once? The container of the 5.0 shape is none, nor is one without an id. */
const isReal = ({ connectorId }: JsonObject): boolean => idOf(connectorId) !== null;

/** A list with anything but objects in it is passed on, so that it is refused with its own words later. */
const listOf = (value: unknown): unknown[] =>
  value == null ? [] : Array.isArray(value) ? (value as unknown[]) : [value];

/** Half of the conversion was done: its steps come before every step with the prefix `1_` as they are. */
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

/** Steps between two looks at the clock. */
const AT_ONCE = 64;

/** The steps of a list after both changes. */
function* each(
  steps: unknown,
  turn: Turn,
  first: StepChange,
  second: StepChange,
): Steps<unknown[]> {
  const changed: unknown[] = [];
  for (const step of listOf(steps)) {
    if (changed.length % AT_ONCE === 0 && turn.over) yield;
    changed.push(second(first(step)));
  }
  return changed;
}

const asItIs: StepChange = (step) => step;

/** All steps of a side get the same, so their order stays. */
const prefixing =
  (side: '0' | '1'): StepChange =>
  (step) =>
    hasIndex(step) ? { ...step, index: `${side}_${step.index}` } : step;

/** Types that call no connector, whatever container they stand in. */
const WITHOUT_CONNECTOR: ReadonlySet<unknown> = new Set(['HTTP_REQUEST', 'WEBHOOK']);

/** A method says which connector it belongs to, also one that nobody can have: a save judges it there. Of the invoker the name is enough: an invoker may be long, and there are many methods. */
function stamping(container: JsonObject): StepChange {
  const { connectorId, title, invoker } = container;
  const stamp = namesRecord(connectorId)
    ? {
        connectorId,
        ...(title === undefined ? {} : { title }),
        ...(invoker === undefined
          ? {}
          : {
              invoker:
                isJsonObject(invoker) && 'name' in invoker ? { name: invoker.name } : invoker,
            }),
      }
    : null;
  return (method) => {
    if (!isJsonObject(method)) return method;
    const isStamped =
      method.connector != null || WITHOUT_CONNECTOR.has(method.methodType) || stamp === null;
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

/** What it says of itself, so that the same words of the containers need other names. */
const OWN = new Set(['connectorId', 'title', 'invoker']);
const STEPS = new Set(['methods', 'operators']);

/** What else the containers held, of each field under a name nothing else has. */
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

import { conditionToExpression, isSameCondition } from '../../../engine';
import type { JsonObject } from './json';
import { isJsonObject } from './json';
import { isLegacyDocument } from './legacy-document';
import { partIdOf } from './part-ids';
import { keepSpelling, spelledFor4x } from './released-spelling';
import { conditionsOf, shownBindings } from './released-parts';
import { keepUnknownFields, unsentFields } from './unsent-fields';
import { currentNotes, describeTwoContainers, parseNotes, TWO_CONTAINERS } from './two-containers';
import { connectorKey, divideSteps } from './two-sides';
import type {
  MethodDocument,
  OperatorDocument,
  StepDocument,
  WorkflowDocument,
} from './document-shape';

/**
 * Adds the notes on two containers: of a 4.x document those of its conversion, else what is still
 * true of the stored ones, which clients of the 5.0 shape do not send.
 * @param sent the document before its conversion
 */
export function addNotes(
  sent: JsonObject,
  document: WorkflowDocument,
  stored: WorkflowDocument | null,
): WorkflowDocument {
  if (isLegacyDocument(sent)) {
    const { [TWO_CONTAINERS]: _sent, ...rest } = document;
    const read = rest as WorkflowDocument;
    const complete = stored === null ? read : keepUnknownFields(keepUnsent(read, stored), stored);
    const notes = describeTwoContainers(sent, complete);
    return notes === null ? complete : { ...complete, [TWO_CONTAINERS]: notes };
  }
  const before = TWO_CONTAINERS in document ? document : stored;
  if (before?.[TWO_CONTAINERS] === undefined) return document;
  const notes = currentNotes(before[TWO_CONTAINERS], document);
  const { [TWO_CONTAINERS]: _before, ...rest } = document;
  const read = rest as WorkflowDocument;
  return notes === null ? read : { ...read, [TWO_CONTAINERS]: notes };
}

/**
 * Returns the document with the indexes and expressions that it has after a 4.x client saved it
 * unchanged, so that its steps are recognised in what such a client sends.
 */
export function asSavedBy4x(document: WorkflowDocument): WorkflowDocument {
  const notes = parseNotes(document[TWO_CONTAINERS]);
  const sides = divideSteps(document, notes);
  if (sides.reason !== null) return document;
  const conditions = conditionsOf(document, notes);
  // Without connectors, the conversion keeps the indexes.
  const hasConnectors = notes !== null || sides.connectors.from !== null;
  const prefixes = hasConnectors ? { from: '0_', to: '1_' } : { from: '', to: '' };
  const placed = <S extends StepDocument>(step: S): S => {
    const place = sides.places.get(step);
    if (place?.index == null) return step;
    return { ...step, index: `${prefixes[place.side]}${place.index}` };
  };
  const { fromConnector } = document;
  const fieldBinding = shownBindings(document);
  return {
    ...document,
    fieldBinding,
    fromConnector: {
      ...fromConnector,
      methods: fromConnector.methods.map(placed),
      operators: fromConnector.operators.map((step) => {
        const condition = conditions.get(step);
        const expression = conditionToExpression({ type: step.type ?? null, condition });
        return { ...placed(step), expression: expression ?? step.expression };
      }),
    },
  };
}

/** Fields of a workflow that 4.x clients do not send. */
const OF_DOCUMENT = ['ui', 'icon'] as const;

/**
 * Keeps what a 4.x client cannot send: the layout of the 5.x editor, the connector of methods, and an
 * expression that its condition does not change. `keepUnknownFields` keeps the fields that no
 * released client knows.
 * @param document the converted document, with ids
 */
function keepUnsent(document: WorkflowDocument, stored: WorkflowDocument): WorkflowDocument {
  const { methods, operators } = document.fromConnector;
  const before = new Map<string, JsonObject>(
    [...stored.fromConnector.methods, ...stored.fromConnector.operators].map((step) => [
      step.id,
      step,
    ]),
  );
  const keptMethods: MethodDocument[] = methods.map((method) =>
    withStoredSpelling(keptMethod(method, before.get(method.id)), before.get(method.id)),
  );
  const keptOperators: OperatorDocument[] = operators.map((operator) =>
    keptOperator(operator, before.get(operator.id)),
  );
  return {
    ...document,
    ...unsentFields(OF_DOCUMENT, document, stored),
    fromConnector: {
      ...document.fromConnector,
      methods: keptMethods,
      operators: keptOperators,
    },
    fieldBinding: keptBindings(document, stored),
  };
}

function keptMethod(method: MethodDocument, before: JsonObject | undefined): MethodDocument {
  if (before === undefined || before.name !== method.name) return method;
  const [now, then] = [method.connector, before.connector];
  const isSameConnector =
    isJsonObject(now) && isJsonObject(then) && connectorKey(now) === connectorKey(then);
  if (!isSameConnector) return method;
  return {
    ...method,
    connector: { ...then, ...now },
    methodType: method.methodType ?? (before.methodType === 'CONNECTOR' ? 'CONNECTOR' : null),
  };
}

function keptOperator(
  operator: OperatorDocument,
  before: JsonObject | undefined,
): OperatorDocument {
  const { type, expression } = operator;
  const then = before?.expression;
  const isKept =
    typeof then === 'string' &&
    typeof expression === 'string' &&
    type === before?.type &&
    isSameCondition(type, expression, then);
  return isKept ? { ...operator, expression: then } : operator;
}

/** Keeps the references in a request that the client did not change. */
function withStoredSpelling(
  method: MethodDocument,
  before: JsonObject | undefined,
): MethodDocument {
  if (before?.request == null || method.request == null) return method;
  const shown = spelledFor4x(before.request);
  return { ...method, request: keepSpelling(method.request, shown, before.request) };
}

function keptBindings(document: WorkflowDocument, stored: WorkflowDocument): JsonObject[] {
  const shown = shownBindings(stored);
  const before = new Map(
    stored.fieldBinding.map((binding, at) => [partIdOf(binding), { binding, shown: shown[at] }]),
  );
  const bindings: JsonObject[] = [];
  for (const binding of document.fieldBinding) {
    const previous = before.get(partIdOf(binding));
    const same = previous && keepSpelling(binding, previous.shown, previous.binding);
    bindings.push(isJsonObject(same) ? same : binding);
  }
  return bindings;
}

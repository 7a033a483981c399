import { stepTypeOf } from '../../../engine';
import type { ReadReference } from '../../../engine';
import { SECRET_NAME, secretKey, secretMarkAt } from '../../../platform/secrets';
import { everyText, isJsonObject } from '../document/json';
import type { JsonObject } from '../document/json';
import { idOf } from '../document/record-id';
import { nameOfStep } from './problem';
import type { StepName } from './problem';

/** The connector of a step: an id, or in a template an invoker. */
export interface ConnectorReference {
  readonly step: StepName;
  readonly id: number | null;
  readonly invoker: string | null;
  readonly operation: string | null;
  /** Null in old data without method types. */
  readonly methodType: string | null;
  /** Colour by which references name the step, upper case. */
  readonly color: string | null;
}

interface AggregatorReference {
  readonly step: StepName;
  readonly id: number;
}

/** A named secret in a field of a step. */
interface SecretReference {
  readonly step: StepName;
  readonly field: string;
  /** The name as written. */
  readonly name: string;
  /** The folded name for the lookup; null if no secret can have this name. */
  readonly key: string | null;
}

/** The references of a document to other records. */
export interface DocumentReferences {
  readonly connectors: readonly ConnectorReference[];
  readonly secrets: readonly SecretReference[];
  readonly aggregators: readonly AggregatorReference[];
  readonly categoryId: number | null;
  /** What the steps read of the responses of others. */
  readonly reads: readonly ReadReference[];
}

/** The connector of a method; null if it calls none. */
export function connectorOf(method: JsonObject, container: JsonObject): ConnectorReference | null {
  const methodType =
    typeof method.methodType === 'string' && method.methodType !== '' ? method.methodType : null;
  if (methodType !== null && stepTypeOf(methodType)?.callsConnector !== true) return null;
  const own = isJsonObject(method.connector) ? method.connector : {};
  const invoker = textOf(isJsonObject(own.invoker) ? own.invoker.name : own.invoker);
  // Without a type, the connector of the workflow applies; without that, the method is a plain HTTP
  // request.
  const id = idOf(own.connectorId) ?? (methodType === null ? idOf(container.connectorId) : null);
  if (methodType === null && id === null && invoker === null) return null;
  return {
    step: nameOfStep(method),
    id,
    invoker,
    operation: textOf(method.name),
    methodType,
    color: textOf(method.color)?.toUpperCase() ?? null,
  };
}

/** The aggregator of a method; null if it has none. */
export function aggregatorOf(method: JsonObject): AggregatorReference | null {
  const id = idOf(method.dataAggregator);
  return id === null ? null : { step: nameOfStep(method), id };
}

/** The secrets that a method sends, once per field. */
export function secretsOf(method: JsonObject): SecretReference[] {
  const request = isJsonObject(method.request) ? method.request : {};
  const headers = isJsonObject(request.header) ? request.header : {};
  const body = isJsonObject(request.body) ? request.body.fields : undefined;
  const places: [string, unknown][] = [
    ['request.endpoint', request.endpoint],
    ...Object.entries(headers).map(([name, value]): [string, unknown] => [
      `request.header.${name}`,
      value,
    ]),
    ['request.body', body],
  ];
  const step = nameOfStep(method);
  const uses: SecretReference[] = [];
  for (const [field, value] of places) {
    const names = new Set<string>();
    everyText(value, (text) => addNames(text, names));
    for (const name of names)
      uses.push({ step, field, name, key: SECRET_NAME.test(name) ? secretKey(name) : null });
  }
  return uses;
}

function addNames(text: string, names: Set<string>): void {
  for (let at = text.indexOf('{%'); at >= 0; at = text.indexOf('{%', at)) {
    const mark = secretMarkAt(text, at);
    if (mark) names.add(mark.name);
    at = mark?.end ?? at + 2;
  }
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

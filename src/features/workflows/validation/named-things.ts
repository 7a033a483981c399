import type { Steps, Turn } from '../../../platform/json/turns';
import { SECRET_NAME, secretKey, secretMarkAt } from '../../../platform/secrets';
import { everyText, isJsonObject } from '../json';
import type { JsonObject } from '../json';
import { idOf } from '../references/record-id';
import { nameOfStep } from './problem';
import type { StepName } from './problem';

/** A connector that a step calls: by its id, or in a template by its invoker. */
export interface NamedConnector {
  readonly step: StepName;
  readonly id: number | null;
  readonly invoker: string | null;
  /** The operation of its invoker. */
  readonly operation: string | null;
  /** Null: data from before there were types. */
  readonly methodType: string | null;
}

/** An aggregator that a method names. */
export interface NamedAggregator {
  readonly step: StepName;
  readonly id: number;
}

/** A named secret that a step uses where one may stand. */
export interface NamedSecretUse {
  readonly step: StepName;
  readonly field: string;
  /** As it is written. */
  readonly name: string;
  /** By which it is looked up; null for a name that no secret can have. */
  readonly key: string | null;
}

/** The connector that a method calls; null for one that calls none. */
export function connectorOf(method: JsonObject, container: JsonObject): NamedConnector | null {
  const methodType =
    typeof method.methodType === 'string' && method.methodType !== '' ? method.methodType : null;
  if (methodType !== null && methodType !== 'CONNECTOR') return null;
  const own = isJsonObject(method.connector) ? method.connector : {};
  const invoker = textOf(isJsonObject(own.invoker) ? own.invoker.name : own.invoker);
  // Data without types falls back to the connector of the workflow, and without one is a plain HTTP request.
  const id = idOf(own.connectorId) ?? (methodType === null ? idOf(container.connectorId) : null);
  if (methodType === null && id === null && invoker === null) return null;
  return { step: nameOfStep(method), id, invoker, operation: textOf(method.name), methodType };
}

/** The aggregator that a method names; null for one that names none. */
export function aggregatorOf(method: JsonObject): NamedAggregator | null {
  const id = idOf(method.dataAggregator);
  return id === null ? null : { step: nameOfStep(method), id };
}

/** The secrets in what a method sends, each once for each place. */
export function* secretsOf(method: JsonObject, turn: Turn): Steps<NamedSecretUse[]> {
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
  const uses: NamedSecretUse[] = [];
  for (const [field, value] of places) {
    if (turn.over) yield;
    const names = new Set<string>();
    yield* everyText(value, (text) => addNames(text, names), turn);
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

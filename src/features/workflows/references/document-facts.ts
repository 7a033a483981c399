import type { Steps, Turn } from '../../../platform/json/turns';
import { secretsNamedIn } from '../../../platform/secrets';
import { fold } from '../../../platform/text/fold';
import { isJsonObject } from '../json';
import type { JsonObject } from '../json';
import { idOf } from './record-id';

/** What a document refers to and lists show: kept in the row of its workflow, so that nobody reads bodies to find it. */
export interface DocumentFacts {
  /** The connectors its steps call, each once, ascending. */
  readonly connectorIds: readonly number[];
  /** Names of invokers that are written in the document, each once. */
  readonly invokers: readonly string[];
  /** The same as they are compared, each once. */
  readonly invokerKeys: readonly string[];
  /** Names of the secrets it refers to, as they are compared, each once. */
  readonly secrets: readonly string[];
  /** The aggregators its methods name, each once, ascending. */
  readonly aggregatorIds: readonly number[];
  readonly categoryId: number | null;
  /** Where its icon is; null when there is none. */
  readonly icon: string | null;
}

/** No invoker has a longer name, and no icon a longer address: what is longer stays in the document alone. */
const LONGEST = { invoker: 255, icon: 2_048 } as const;

/** Nobody has as many secrets, and a row must stay small. */
const MOST_SECRETS = 10_000;

/** The facts of a document. It may be of a shape that is not quite right: what is no id is none. */
export function* documentFacts(document: JsonObject, turn: Turn): Steps<DocumentFacts> {
  const container = isJsonObject(document.fromConnector) ? document.fromConnector : {};
  const invokers = new Set(
    [container, ...connectorsIn(container)].flatMap((connector) => invokerOf(connector) ?? []),
  );
  const invokerKeys = new Set<string>();
  for (const name of invokers) {
    if (turn.over) yield;
    invokerKeys.add(fold(name));
  }
  return {
    connectorIds: connectorIdsOf(document),
    invokers: [...invokers].sort(),
    invokerKeys: [...invokerKeys].sort(),
    secrets: [...(yield* secretsNamedIn(document, turn))].slice(0, MOST_SECRETS).sort(),
    aggregatorIds: aggregatorIdsOf(document),
    categoryId: idOf(document.categoryId),
    icon: textUpTo(document.icon, LONGEST.icon),
  };
}

/** The connectors that the steps of a document call, each once, ascending. */
export function connectorIdsOf({ fromConnector }: JsonObject): number[] {
  const container = isJsonObject(fromConnector) ? fromConnector : {};
  const ids = [container, ...connectorsIn(container)].flatMap(
    ({ connectorId }) => idOf(connectorId) ?? [],
  );
  return [...new Set(ids)].sort((a, b) => a - b);
}

/** The aggregators that the methods of a document name, each once, ascending. Operators call nothing, so theirs are never evaluated. */
export function aggregatorIdsOf({ fromConnector }: JsonObject): number[] {
  const container = isJsonObject(fromConnector) ? fromConnector : {};
  return [
    ...new Set(methodsIn(container).flatMap(({ dataAggregator }) => idOf(dataAggregator) ?? [])),
  ].sort((a, b) => a - b);
}

const methodsIn = ({ methods }: JsonObject): JsonObject[] =>
  Array.isArray(methods) ? methods.filter(isJsonObject) : [];

/** What the methods of a container say of their connectors. */
const connectorsIn = (container: JsonObject): JsonObject[] =>
  methodsIn(container)
    .map(({ connector }) => connector)
    .filter(isJsonObject);

const invokerOf = ({ invoker }: JsonObject): string | null =>
  textUpTo(isJsonObject(invoker) ? invoker.name : invoker, LONGEST.invoker);

const textUpTo = (value: unknown, longest: number): string | null =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= longest &&
  value.isWellFormed() &&
  !value.includes('\0')
    ? value
    : null;

import { secretsNamedIn } from '../../../platform/secrets';
import { fold } from '../../../platform/text/fold';
import { isJsonObject } from './json';
import type { JsonObject } from './json';
import { idOf } from './record-id';
import { containerConnectors } from './two-container-view';
import { withoutNotes } from './two-containers';
import type { WorkflowDocument } from './document-shape';

/**
 * The references of a document and what lists show. Stored in the workflow row, so that queries
 * need not read documents.
 */
export interface DocumentFacts {
  /** Connectors that the steps call, unique, ascending. */
  readonly connectorIds: readonly number[];
  /**
   * Connectors of the two containers that 4.x clients see, source and target, as far as there are
   * any.
   */
  readonly containerIds: readonly number[];
  /** Names of invokers in the document, unique. */
  readonly invokers: readonly string[];
  /** The same names, folded for comparison, unique. */
  readonly invokerKeys: readonly string[];
  /** Names of the secrets it refers to, folded, unique. */
  readonly secrets: readonly string[];
  /** Aggregators of its methods, unique, ascending. */
  readonly aggregatorIds: readonly number[];
  readonly categoryId: number | null;
  /** URL of its icon. */
  readonly icon: string | null;
}

/** Maximum characters of an invoker name and icon URL; longer ones are not copied to the row. */
const LONGEST = { invoker: 255, icon: 2_048 } as const;

/** Limits the size of a row. */
const MOST_SECRETS = 10_000;

/** Reads the facts of a document; invalid ids are ignored. */
export function documentFacts(document: WorkflowDocument): DocumentFacts {
  const container = isJsonObject(document.fromConnector) ? document.fromConnector : {};
  const invokers = new Set(
    [container, ...connectorsIn(container)].flatMap((connector) => invokerOf(connector) ?? []),
  );
  const invokerKeys = new Set<string>();
  for (const name of invokers) {
    invokerKeys.add(fold(name));
  }
  return {
    connectorIds: connectorIdsOf(document),
    containerIds: containerIdsOf(document),
    invokers: [...invokers].sort(),
    invokerKeys: [...invokerKeys].sort(),
    secrets: [...secretsNamedIn(withoutNotes(document))].slice(0, MOST_SECRETS).sort(),
    aggregatorIds: aggregatorIdsOf(document),
    categoryId: idOf(document.categoryId),
    icon: textUpTo(document.icon, LONGEST.icon),
  };
}

/** Connectors that the steps of a document call, unique, ascending. */
export function connectorIdsOf({ fromConnector }: JsonObject): number[] {
  const container = isJsonObject(fromConnector) ? fromConnector : {};
  const ids = [container, ...connectorsIn(container)].flatMap(
    ({ connectorId }) => idOf(connectorId) ?? [],
  );
  return [...new Set(ids)].sort((a, b) => a - b);
}

function containerIdsOf(document: WorkflowDocument): number[] {
  const { from, to } = containerConnectors(document);
  return [from, to].flatMap((connector) => idOf(connector?.connectorId) ?? []);
}

/**
 * Aggregators of the methods of a document, unique, ascending. Those of operators are never
 * evaluated.
 */
export function aggregatorIdsOf({ fromConnector }: JsonObject): number[] {
  const container = isJsonObject(fromConnector) ? fromConnector : {};
  return [
    ...new Set(methodsIn(container).flatMap(({ dataAggregator }) => idOf(dataAggregator) ?? [])),
  ].sort((a, b) => a - b);
}

const methodsIn = ({ methods }: JsonObject): JsonObject[] =>
  Array.isArray(methods) ? methods.filter(isJsonObject) : [];

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

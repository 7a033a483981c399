import { suspensionMessage } from '../../../engine';
import type { WorkflowPorts } from '../workflow.ports';
import type { NamedAggregator, NamedConnector, NamedSecretUse } from './named-things';
import { NO_STEP, problemAt } from './problem';
import type { WorkflowProblem } from './problem';

/** The things that a document refers to outside of itself. */
export interface NamedThings {
  readonly connectors: readonly NamedConnector[];
  readonly secrets: readonly NamedSecretUse[];
  readonly aggregators: readonly NamedAggregator[];
  readonly categoryId: number | null;
}

/**
 * The existing records among those that the documents refer to, one query per kind. Undefined: not
 * known, so all references are taken as valid.
 */
interface Known {
  readonly connectors?: ReadonlyMap<number, { readonly invoker: string }>;
  readonly suspended?: ReadonlyMap<
    number,
    { readonly title: string; readonly fields: readonly string[] }
  >;
  readonly operations?: ReadonlyMap<string, ReadonlySet<string>>;
  readonly secrets?: ReadonlySet<string>;
  readonly aggregators?: ReadonlySet<number>;
  readonly categories?: ReadonlySet<number>;
}

/** The reference problems of each document, in the given order. */
export async function referenceProblems(
  named: readonly NamedThings[],
  ports: WorkflowPorts,
): Promise<WorkflowProblem[][]> {
  const known = await knownOf(named, ports);
  return named.map(({ connectors, secrets, aggregators, categoryId }) => [
    ...connectors.flatMap((connector) => [
      ...connectorProblems(connector, known),
      ...suspensionProblems(connector, known),
    ]),
    ...secrets
      .filter(({ key }) => key === null || known.secrets?.has(key) === false)
      .map(({ step, field, name }) =>
        problemAt(
          step,
          field,
          'SECRET_NOT_FOUND',
          `There is no secret ${JSON.stringify(name.slice(0, 100))}.`,
        ),
      ),
    ...aggregators
      .filter(({ id }) => known.aggregators?.has(id) === false)
      .map(({ step, id }) =>
        problemAt(step, 'dataAggregator', 'AGGREGATOR_NOT_FOUND', `There is no aggregator ${id}.`),
      ),
    ...(categoryId !== null && known.categories?.has(categoryId) === false
      ? [
          problemAt(
            NO_STEP,
            'categoryId',
            'CATEGORY_NOT_FOUND',
            `There is no category ${categoryId}.`,
          ),
        ]
      : []),
  ]);
}

async function knownOf(named: readonly NamedThings[], ports: WorkflowPorts): Promise<Known> {
  const ids = once(named.flatMap(({ connectors }) => connectors.flatMap(({ id }) => id ?? [])));
  const keys = once(named.flatMap(({ secrets }) => secrets.flatMap(({ key }) => key ?? [])));
  const aggregatorIds = once(named.flatMap(({ aggregators }) => aggregators.map(({ id }) => id)));
  const categoryIds = once(named.flatMap(({ categoryId }) => categoryId ?? []));
  const [connectors, suspended, secrets, aggregators, categories] = await Promise.all([
    ids.length > 0 ? ports.connectors?.facts(ids) : undefined,
    ids.length > 0 ? ports.connectors?.suspended(ids) : undefined,
    keys.length > 0 ? ports.secrets?.known(keys) : undefined,
    aggregatorIds.length > 0 ? ports.aggregators?.known(aggregatorIds) : undefined,
    categoryIds.length > 0 ? ports.categories?.known(categoryIds) : undefined,
  ]);
  const invokers = once([
    ...[...(connectors?.values() ?? [])].map(({ invoker }) => invoker),
    ...named.flatMap((each) => each.connectors.flatMap(({ invoker }) => invoker ?? [])),
  ]);
  return {
    connectors,
    suspended,
    secrets,
    aggregators,
    categories,
    operations: invokers.length > 0 ? await ports.invokers?.operations(invokers) : undefined,
  };
}

const once = <T>(values: readonly T[]): T[] => [...new Set(values)];

function suspensionProblems({ step, id }: NamedConnector, { suspended }: Known): WorkflowProblem[] {
  const found = id === null ? undefined : suspended?.get(id);
  return found
    ? [
        problemAt(
          step,
          'connector',
          'CREDENTIALS_NEED_CONFIRMATION',
          suspensionMessage(found.title, found.fields),
        ),
      ]
    : [];
}

function connectorProblems(
  { step, id, invoker, operation }: NamedConnector,
  { connectors, operations }: Known,
): WorkflowProblem[] {
  if (id === null && invoker === null)
    return [
      problemAt(
        step,
        'connector',
        'CONNECTOR_NOT_FOUND',
        'The step calls a connector and does not say which.',
      ),
    ];
  const facts = id === null ? undefined : connectors?.get(id);
  if (id !== null && connectors !== undefined && facts === undefined)
    return [
      problemAt(
        step,
        'connector.connectorId',
        'CONNECTOR_NOT_FOUND',
        `There is no connector ${id}.`,
      ),
    ];
  const name = facts?.invoker ?? invoker;
  if (name === null || operations === undefined) return [];
  const offered = operations.get(name);
  if (offered === undefined)
    return [
      problemAt(
        step,
        'connector.invoker',
        'INVOKER_NOT_FOUND',
        `There is no invoker ${JSON.stringify(name.slice(0, 100))}.`,
      ),
    ];
  if (operation !== null && offered.has(operation)) return [];
  const said =
    operation === null
      ? 'The step does not name an operation of its connector.'
      : `The invoker ${JSON.stringify(name.slice(0, 100))} has no operation ${JSON.stringify(operation.slice(0, 100))}.`;
  return [problemAt(step, 'name', 'OPERATION_NOT_FOUND', said)];
}

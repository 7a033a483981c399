import { suspensionMessage } from '../../../engine';
import type { InvokerFacts } from '../../../engine';
import { undeclaredField } from './declared-fields';
import type {
  ConnectorFacts,
  ReferencedRecords,
  SuspendedConnector,
} from '../references/referenced-records';
import { NO_STEP, problemAt } from './problem';
import type { UnplacedProblem } from './problem';
import type { ConnectorReference, DocumentReferences } from './step-references';

/** The existing records among those that the documents refer to, one query per kind. */
type ExistingRecords = Awaited<ReturnType<typeof findRecords>>;

/** The reference problems of each document, in the given order. */
export async function referenceProblems(
  documents: readonly DocumentReferences[],
  records: ReferencedRecords,
): Promise<UnplacedProblem[][]> {
  const existing = await findRecords(documents, records);
  return documents.map(({ connectors, secrets, aggregators, categoryId, reads }) => [
    ...declaredProblems(connectors, reads, existing),
    ...connectors.flatMap((connector) => [
      ...connectorProblems(connector, existing),
      ...suspensionProblems(connector, existing),
    ]),
    ...secrets
      .filter(({ key }) => key === null || !existing.secrets.has(key))
      .map(({ step, field, name }) =>
        problemAt(
          step,
          field,
          'SECRET_NOT_FOUND',
          `There is no secret ${JSON.stringify(name.slice(0, 100))}.`,
        ),
      ),
    ...aggregators
      .filter(({ id }) => !existing.aggregators.has(id))
      .map(({ step, id }) =>
        problemAt(step, 'dataAggregator', 'AGGREGATOR_NOT_FOUND', `There is no aggregator ${id}.`),
      ),
    ...(categoryId !== null && !existing.categories.has(categoryId)
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

async function findRecords(documents: readonly DocumentReferences[], records: ReferencedRecords) {
  const ids = unique(documents.flatMap((each) => each.connectors.flatMap(({ id }) => id ?? [])));
  const keys = unique(documents.flatMap((each) => each.secrets.flatMap(({ key }) => key ?? [])));
  const aggregatorIds = unique(documents.flatMap((each) => each.aggregators.map(({ id }) => id)));
  const categoryIds = unique(documents.flatMap(({ categoryId }) => categoryId ?? []));
  const [connectors, suspended, secrets, aggregators, categories] = await Promise.all([
    ids.length > 0 ? records.connectors.facts(ids) : new Map<number, ConnectorFacts>(),
    ids.length > 0 ? records.connectors.suspended(ids) : new Map<number, SuspendedConnector>(),
    keys.length > 0 ? records.secrets.findExisting(keys) : new Set<string>(),
    aggregatorIds.length > 0 ? records.aggregators.findExisting(aggregatorIds) : new Set<number>(),
    categoryIds.length > 0 ? records.categories.findExisting(categoryIds) : new Set<number>(),
  ]);
  const invokers = unique([
    ...[...connectors.values()].map(({ invoker }) => invoker),
    ...documents.flatMap((each) => each.connectors.flatMap(({ invoker }) => invoker ?? [])),
  ]);
  const operations =
    invokers.length > 0
      ? await records.invokers.operations(invokers)
      : new Map<string, ReadonlySet<string>>();
  const isRead = documents.some((each) => each.reads.length > 0);
  const declared =
    isRead && operations.size > 0
      ? await records.invokers.byNames([...operations.keys()])
      : new Map<string, InvokerFacts>();
  return { connectors, suspended, secrets, aggregators, categories, operations, declared };
}

/** Problems of references to fields that the operation of their step does not declare. */
function declaredProblems(
  methods: readonly ConnectorReference[],
  reads: DocumentReferences['reads'],
  { connectors, declared }: ExistingRecords,
): UnplacedProblem[] {
  const byColor = new Map(methods.map((method) => [method.color, method]));
  return reads.flatMap((read) => {
    const { id = null, invoker = null, operation = null } = byColor.get(read.reference.color) ?? {};
    const facts = id === null ? undefined : connectors.get(id);
    const declaredFields = declared.get(facts?.invoker ?? invoker ?? '');
    if (declaredFields === undefined || operation === null) return [];
    return undeclaredField(read, declaredFields, operation) ?? [];
  });
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

function suspensionProblems(
  { step, id }: ConnectorReference,
  { suspended }: ExistingRecords,
): UnplacedProblem[] {
  const connector = id === null ? undefined : suspended.get(id);
  return connector
    ? [
        problemAt(
          step,
          'connector',
          'CREDENTIALS_NEED_CONFIRMATION',
          suspensionMessage(connector.title, connector.fields),
        ),
      ]
    : [];
}

function connectorProblems(
  { step, id, invoker, operation }: ConnectorReference,
  { connectors, operations }: ExistingRecords,
): UnplacedProblem[] {
  if (id === null && invoker === null)
    return [
      problemAt(
        step,
        'connector',
        'CONNECTOR_NOT_FOUND',
        'The step calls a connector but does not name one.',
      ),
    ];
  const facts = id === null ? undefined : connectors.get(id);
  if (id !== null && facts === undefined)
    return [
      problemAt(
        step,
        'connector.connectorId',
        'CONNECTOR_NOT_FOUND',
        `There is no connector ${id}.`,
      ),
    ];
  const name = facts?.invoker ?? invoker;
  if (name === null) return [];
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
  const message =
    operation === null
      ? 'The step does not name an operation of its connector.'
      : `The invoker ${JSON.stringify(name.slice(0, 100))} has no operation ${JSON.stringify(operation.slice(0, 100))}.`;
  return [problemAt(step, 'name', 'OPERATION_NOT_FOUND', message)];
}

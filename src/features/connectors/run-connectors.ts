import { connectorNeeds } from '../../engine';
import type {
  ConnectorUse,
  InvokerFacts,
  Operation,
  RequiredField,
  RunConnector,
  Visibility,
} from '../../engine';
import type { ConnectorCatalog } from './connector-catalog';
import type { ConnectorRecord } from './connector.model';
import type { Values } from './connector.rules';
import { allowsOrigin, reachOf, reachWithout, visibilityOf } from './credentials/consent';
import type { Credentials } from './credentials/credentials';

/** Connectors for runs, with the credentials and parts of the invokers that the run may need. */
export class RunConnectors {
  constructor(
    private readonly deps: {
      readonly catalog: ConnectorCatalog;
      readonly credentials: Credentials;
    },
  ) {}

  /**
   * Returns the existing connectors by id.
   * @param uses connector ids, each with what the steps need
   * @throws SealBroken if a value cannot be decrypted
   */
  async open(uses: ReadonlyMap<number, ConnectorUse>): Promise<ReadonlyMap<number, RunConnector>> {
    if (uses.size === 0) return new Map();
    const { catalog, credentials } = this.deps;
    const opened = (await catalog.withInvokers([...uses.keys()])).map((connector) => ({
      ...connector,
      values: credentials.open(connector.record),
    }));
    const needs = connectorNeeds(
      uses,
      new Map(
        opened.flatMap(({ record, values, invoker }) =>
          invoker === null ? [] : [[record._id, { values, invoker }]],
        ),
      ),
    );
    const connectors = new Map<number, RunConnector>();
    for (const { record, values, invoker } of opened) {
      const suspended = catalog.suspendedOf(record, invoker).map(({ name }) => name);
      const need = needs.get(record._id) ?? NOTHING;
      connectors.set(record._id, await runConnector(record, values, invoker, need, suspended));
    }
    return connectors;
  }
}

const NOTHING: ConnectorUse = { operations: new Set(), fields: new Set() };

async function runConnector(
  record: ConnectorRecord,
  values: Values,
  invoker: InvokerFacts | null,
  { operations: called, fields }: ConnectorUse,
  suspended: readonly string[],
): Promise<RunConnector> {
  const { _id, title, sslCert, keepCookies = false, timeout, invoker: invokerName } = record;
  const connector = {
    id: _id,
    title,
    verifyTls: !sslCert,
    keepsCookies: keepCookies,
    timeoutMs: timeout,
    values: only(values, (name) => fields.has(name)),
    invokerName,
    suspended,
  };
  if (invoker === null) return { ...connector, origins: [], fieldOrigins: {}, invoker };
  const { name, requiredData, pagination, operations } = invoker;
  const allowed = await originsAllowed(record, values, invoker, fields);
  return {
    ...connector,
    ...allowed,
    invoker: {
      name,
      pagination,
      operations: operations.filter((operation) => called.has(operation.name)).map(plainOperation),
      requiredData: requiredData
        .filter((field) => fields.has(field.name))
        .map((field) => ({
          name: field.name,
          type: field.type,
          value: field.value,
          visibility: runVisibility(field, allowed.fieldOrigins),
        })),
    },
  };
}

/** A value computed from hidden values is hidden as well. */
const runVisibility = (
  { name, visibility }: RequiredField,
  hidden: Readonly<Record<string, unknown>>,
): Visibility =>
  visibility === 'public' && Object.hasOwn(hidden, name) ? 'protected' : visibility;

const only = (values: Values, isIncluded: (name: string) => boolean): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => isIncluded(name)));

/** Only the parts of an operation that a run needs: it is sent to another process. */
const plainOperation = ({
  name,
  type,
  request: { endpoint, method, header, body },
  success,
  fail,
  fails,
  pagination,
}: Operation): Operation => ({
  name,
  type,
  request: {
    endpoint,
    method,
    header: header.map(({ name: header, value }) => ({ name: header, value })),
    body: plainBody(body),
  },
  success: plainResult(success),
  fail: plainResult(fail),
  fails: fails?.map((result) => ({ status: result.status, body: plainBody(result.body) })),
  pagination,
});

const plainResult = (result: Operation['fail']): Operation['fail'] =>
  result && { status: result.status, body: plainBody(result.body) };
const plainBody = (body: Operation['request']['body']): Operation['request']['body'] =>
  body && { type: body.type, format: body.format, data: body.data, value: body.value };

/**
 * Returns the origins that the values may go to: those that the invoker and the public fields name
 * now, and for each non-public field only those that all stored values behind it were entered for.
 * Origins that only hidden fields name which the run does not need are left out.
 */
async function originsAllowed(
  { _id, requestData }: ConnectorRecord,
  values: Values,
  invoker: InvokerFacts,
  needed: ReadonlySet<string>,
): Promise<Pick<RunConnector, 'origins' | 'fieldOrigins'>> {
  const stored = new Map(requestData.map((field) => [field.name, field]));
  const isHidden = (name: string): boolean =>
    visibilityOf(stored.get(name), invoker, name) !== 'public';
  const computing = reachOf(invoker, values);
  const origins = reachWithout(invoker, values, (name) => isHidden(name) && !needed.has(name)).all;
  const fieldOrigins: Record<string, readonly string[]> = {};
  for (const name of needed) {
    const sources = [...computing.sourcesOf(name)].filter(isHidden);
    if (sources.length === 0) continue;
    const entered = sources.flatMap((source) => stored.get(source) ?? []);
    fieldOrigins[name] = origins.filter((origin) =>
      entered.every((field) => allowsOrigin(_id, field, origin)),
    );
  }
  return { origins, fieldOrigins };
}

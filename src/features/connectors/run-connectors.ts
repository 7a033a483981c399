import { connectorNeeds, filledWith } from '../../engine';
import type { ConnectorUse, InvokerFacts, Operation, RunConnector } from '../../engine';
import { normalOrigin } from '../../platform/secrets';
import type { ConnectorReads } from './connector-reads';
import type { ConnectorRecord } from './connector.model';
import type { KnownInvokers } from './connector.ports';
import type { Values } from './connector.rules';
import type { Credentials } from './credentials';

export interface RunConnectorDependencies {
  readonly reads: Pick<ConnectorReads, 'byIds'>;
  readonly invokers: Pick<KnownInvokers, 'byNames'>;
  readonly credentials: Pick<Credentials, 'opened'>;
}

/** Connectors as runs are given them: with what of their credentials and of their invokers a run may need. */
export function createRunConnectors({ reads, invokers, credentials }: RunConnectorDependencies) {
  return {
    /**
     * Those that are there, by id.
     * @param uses ids, each with what the steps ask for
     * @throws SealBroken a value cannot be opened
     */
    async open(uses: ReadonlyMap<number, ConnectorUse>): Promise<ReadonlyMap<number, RunConnector>> {
      if (uses.size === 0) return new Map();
      const records = (await reads.byIds([...uses.keys()])).filter((record) => record !== null);
      const known = await invokers.byNames([...new Set(records.map(({ invoker }) => invoker))]);
      const opened = records.map((record) => ({ record, values: credentials.opened(record), invoker: known.get(record.invoker) ?? null }));
      const needs = connectorNeeds(uses, new Map(opened.flatMap(({ record, values, invoker }) => (invoker === null ? [] : [[record._id, { values, invoker }]]))));
      return new Map(opened.map(({ record, values, invoker }) => [record._id, runConnector(record, values, invoker, needs.get(record._id) ?? NOTHING)]));
    },
  };
}

const NOTHING: ConnectorUse = { operations: new Set(), fields: new Set() };

function runConnector({ _id, title, sslCert, timeout, invoker: invokerName }: ConnectorRecord, values: Values, invoker: InvokerFacts | null, { operations: called, fields }: ConnectorUse): RunConnector {
  const about = { id: _id, title, verifyTls: !sslCert, timeoutMs: timeout, values: only(values, (name) => fields.has(name)), invokerName };
  if (invoker === null) return { ...about, origins: [], invoker };
  const { name, requiredData, pagination, operations } = invoker;
  return {
    ...about,
    origins: originsOf(invoker, values, fields),
    invoker: { name, requiredData: requiredData.filter((field) => fields.has(field.name)).map(plain), pagination, operations: operations.filter((operation) => called.has(operation.name)).map(plainOperation) },
  };
}

const only = (values: Values, isMeant: (name: string) => boolean): Values => Object.fromEntries(Object.entries(values).filter(([name]) => isMeant(name)));

/** What a run reads of an operation, and no more: it is sent to another process. */
const plainOperation = ({ name, type, request: { endpoint, method, header, body }, success, fail, fails, pagination }: Operation): Operation =>
  ({ name, type, request: { endpoint, method, header: header.map(({ name: header, value }) => ({ name: header, value })), body: plainBody(body) }, success: plainResult(success), fail: plainResult(fail), fails: fails?.map((result) => ({ status: result.status, body: plainBody(result.body) })), pagination });

const plainResult = (result: Operation['fail']): Operation['fail'] => result && { status: result.status, body: plainBody(result.body) };
const plainBody = (body: Operation['request']['body']): Operation['request']['body'] => body && { type: body.type, format: body.format, data: body.data, value: body.value };
const plain = ({ name, type, visibility, value }: InvokerFacts['requiredData'][number]): InvokerFacts['requiredData'][number] => ({ name, type, visibility, value });

/**
 * Where the credentials may go: wherever an operation leads, and the addresses among the public fields. A system that answers over http may lead to its own https.
 * A host that would tell a hidden value which the run does not need is left out.
 */
function originsOf({ requiredData, operations }: InvokerFacts, given: Values, needed: ReadonlySet<string>): string[] {
  const hidden = new Set(requiredData.filter(({ name, visibility }) => visibility !== 'public' && !needed.has(name)).map(({ name }) => name));
  const values = only({ ...Object.fromEntries(requiredData.map(({ name, value }) => [name, value])), ...given }, (name) => !hidden.has(name));
  const addresses = [...operations.map(({ request }) => filledWith(request.endpoint, values)), ...requiredData.filter(({ visibility }) => visibility === 'public').map(({ name }) => values[name] ?? '')];
  const origins = new Set<string>();
  for (const address of addresses) {
    const url = URL.canParse(address.trim()) ? new URL(address.trim()) : null;
    const origin = url && normalOrigin(url.origin);
    if (url === null || origin === null) continue;
    origins.add(origin);
    if (url.protocol === 'http:' && url.port === '') origins.add(`https://${url.host}`);
  }
  return [...origins];
}

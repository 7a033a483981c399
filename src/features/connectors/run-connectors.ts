import { filledWith } from '../../engine';
import type { InvokerFacts, Operation, RunConnector } from '../../engine';
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

/** Connectors as runs are given them: with their credentials, and with what of their invokers a run may need. */
export function createRunConnectors({ reads, invokers, credentials }: RunConnectorDependencies) {
  return {
    /**
     * Those that are there, by id.
     * @param uses ids, each with the names of the operations that are called
     * @throws SealBroken a value cannot be opened
     */
    async open(uses: ReadonlyMap<number, ReadonlySet<string>>): Promise<ReadonlyMap<number, RunConnector>> {
      if (uses.size === 0) return new Map();
      const records = (await reads.byIds([...uses.keys()])).filter((record) => record !== null);
      const known = await invokers.byNames([...new Set(records.map(({ invoker }) => invoker))]);
      return new Map(records.map((record) => [record._id, runConnector(record, credentials.opened(record), known.get(record.invoker) ?? null, uses.get(record._id) ?? new Set())]));
    },
  };
}

function runConnector({ _id, sslCert, timeout, invoker: invokerName }: ConnectorRecord, values: Values, invoker: InvokerFacts | null, called: ReadonlySet<string>): RunConnector {
  const about = { id: _id, verifyTls: !sslCert, timeoutMs: timeout, values, invokerName };
  if (invoker === null) return { ...about, origins: [], invoker };
  const { name, requiredData, pagination, operations } = invoker;
  return {
    ...about,
    origins: originsOf(invoker, values),
    invoker: { name, requiredData: requiredData.map(plain), pagination, operations: operations.filter(isNeeded(invoker, called)).map(plainOperation) },
  };
}

/** Those that are called, and those that compute values: each that an expression may name. */
function isNeeded({ requiredData }: InvokerFacts, called: ReadonlySet<string>): (operation: Operation) => boolean {
  const expressions = requiredData.map(({ value }) => value).filter((value) => value.includes('%{'));
  return ({ name }) => called.has(name) || (expressions.length > 0 && (name === 'test' || expressions.some((expression) => expression.includes(`%{${name}.`))));
}

/** What a run reads of an operation, and no more: it is sent to another process. */
const plainOperation = ({ name, type, request: { endpoint, method, header, body }, success, fail, pagination }: Operation): Operation =>
  ({ name, type, request: { endpoint, method, header: header.map(({ name: header, value }) => ({ name: header, value })), body: plainBody(body) }, success: plainResult(success), fail: plainResult(fail), pagination });

const plainResult = (result: Operation['fail']): Operation['fail'] => result && { status: result.status, body: plainBody(result.body) };
const plainBody = (body: Operation['request']['body']): Operation['request']['body'] => body && { type: body.type, format: body.format, data: body.data, value: body.value };
const plain = ({ name, type, visibility, value }: InvokerFacts['requiredData'][number]): InvokerFacts['requiredData'][number] => ({ name, type, visibility, value });

/** Where the credentials may go: wherever an operation leads, and the addresses among the public fields. A system that answers over http may lead to its own https. */
function originsOf({ requiredData, operations }: InvokerFacts, given: Values): string[] {
  const values = { ...Object.fromEntries(requiredData.map(({ name, value }) => [name, value])), ...given };
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

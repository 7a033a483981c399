import { derived } from '../../platform/cache';
import { normalOrigin } from '../../platform/secrets';
import { sourcesOfField } from './field-values';
import type { InvokerFacts, Operation } from './invoker-facts';
import { fieldsAskedBy, filledWith, textsIn } from './text-template';

/** Above this number of field/operation pairs, assume that every operation uses every field. */
const MAX_PAIRS = 1_000_000;

/** Determines the origins that field values of a connector are sent to. */
export class FieldReach {
  /** Indexes of operations by the fields they use. */
  private readonly operationsByField = new Map<string, number[]>();
  private readonly fieldsMadeOfField = new Map<string, string[]>();
  private readonly fieldsMadeOfOperation = new Map<number, string[]>();
  private readonly sources = new Map<string, ReturnType<typeof sourcesOfField>>();
  private readonly firstOfName = new Map<string, number>();
  private readonly isTooLarge: boolean;

  /**
   * @param asks fields used by each operation
   * @param origins origins called by each operation
   * @param addresses origins in public fields: steps of workflows build URLs from them
   */
  private constructor(
    { requiredData, operations }: InvokerFacts,
    entered: Readonly<Record<string, string>>,
    private readonly asks: readonly (readonly string[])[],
    private readonly origins: readonly (readonly string[])[],
    private readonly addresses: readonly string[],
  ) {
    this.isTooLarge = requiredData.length * operations.length > MAX_PAIRS;
    for (const [at, { name }] of operations.entries())
      if (!this.firstOfName.has(name)) this.firstOfName.set(name, at);
    for (const [at, fields] of asks.entries())
      for (const field of fields) push(this.operationsByField, field, at);
    for (const field of requiredData) {
      const sources = sourcesOfField(field, entered);
      this.sources.set(field.name, sources);
      for (const source of sources.fields) push(this.fieldsMadeOfField, source, field.name);
      for (const source of sources.operations)
        push(this.fieldsMadeOfOperation, this.firstOfName.get(source) ?? -1, field.name);
    }
  }

  /** @param configured configured values; other fields have the default of the invoker */
  static of(invoker: InvokerFacts, configured: Readonly<Record<string, string>>): FieldReach {
    const { requiredData, operations } = invoker;
    const values = {
      ...Object.fromEntries(requiredData.map(({ name, value }) => [name, value])),
      ...configured,
    };
    const asks = fieldsOfOperations(operations);
    const origins: string[][] = operations.map(({ request }) => originsOfRequest(request, values));
    const addresses = requiredData
      .filter(({ visibility }) => visibility === 'public')
      .flatMap(({ name }) => originsIn(values[name] ?? ''));
    return new FieldReach(invoker, configured, asks, origins, addresses);
  }

  /** All origins of operations and public fields. */
  get all(): string[] {
    return [...new Set([...this.origins.flat(), ...this.addresses])];
  }

  /**
   * Origins of operations that send the field or a value computed from it. If no operation does,
   * steps may send it to any of them.
   */
  originsOf(field: string): string[] {
    const users = this.isTooLarge ? [] : [...this.operationsUsing(field)];
    return users.length === 0
      ? this.all
      : [...new Set([...users.flatMap((at) => this.origins[at] ?? []), ...this.addresses])];
  }

  /** The field and the fields that it is computed from. */
  sourcesOf(field: string): ReadonlySet<string> {
    if (this.isTooLarge) return new Set([field, ...this.sources.keys()]);
    const fields = new Set([field]);
    const operations = new Set<number>();
    for (const each of fields) {
      const sources = this.sources.get(each);
      for (const source of sources?.fields ?? []) fields.add(source);
      for (const name of sources?.operations ?? []) {
        const at = this.firstOfName.get(name);
        if (at === undefined || operations.has(at)) continue;
        operations.add(at);
        for (const source of this.asks[at] ?? []) fields.add(source);
      }
    }
    return fields;
  }

  private operationsUsing(field: string): Set<number> {
    const fields = new Set([field]);
    const operations = new Set<number>();
    for (const each of fields) {
      for (const made of this.fieldsMadeOfField.get(each) ?? []) fields.add(made);
      for (const at of this.operationsByField.get(each) ?? []) {
        if (operations.has(at)) continue;
        operations.add(at);
        for (const made of this.fieldsMadeOfOperation.get(at) ?? []) fields.add(made);
      }
    }
    return operations;
  }
}

/**
 * Origin of a URL, and its https variant (for redirects); empty if it is no absolute http(s) URL.
 */
function originsIn(address: string): string[] {
  const text = address.trim();
  const url = URL.canParse(text) ? new URL(text) : null;
  const origin = url && normalOrigin(url.origin);
  if (url === null || origin === null) return [];
  return url.protocol === 'http:' && url.port === '' ? [origin, `https://${url.host}`] : [origin];
}

/** Origins of the URL and of the `Host` header, which selects the virtual host. */
function originsOfRequest(
  { endpoint, header }: Operation['request'],
  values: Readonly<Record<string, string>>,
): string[] {
  const address = filledWith(endpoint, values).trim();
  const hosts = header.filter(({ name }) => name.toLowerCase() === 'host');
  if (hosts.length === 0 || !URL.canParse(address)) return originsIn(address);
  return [
    ...originsIn(address),
    ...hosts.flatMap(({ value }) =>
      originsIn(`${new URL(address).protocol}//${filledWith(value, values).trim()}`),
    ),
  ];
}

/** Operations of an invoker are immutable. */
const fieldsOfOperations = derived((operations: readonly Operation[]) => {
  const asks: string[][] = [];
  for (const {
    request: { endpoint, header, body },
  } of operations) {
    const fields = new Set<string>();
    for (const text of textsIn([endpoint, header.map(({ value }) => value), body?.value])) {
      for (const { connectorId, name } of fieldsAskedBy(text))
        if (connectorId === null) fields.add(name);
    }
    asks.push([...fields]);
  }
  return asks;
});

function push<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

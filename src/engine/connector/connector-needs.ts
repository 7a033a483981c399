import type { ConnectorUse, GrowingUse } from './connector-uses';
import { sourcesOfField } from './field-values';
import type { InvokerFacts } from './invoker-facts';
import { fieldsAskedBy } from './text-template';
import { textsIn } from './texts-in';

/** The parts of a connector that determine what its values are computed from. */
export interface KnownConnector {
  readonly invoker: InvokerFacts;
  /** Configured values by field name. */
  readonly values: Readonly<Record<string, string>>;
}

type Ask = { readonly id: number } & ({ readonly operation: string } | { readonly field: string });

/**
 * Returns all fields and operations that a run needs of its connectors: those its steps use, and
 * transitively those that fields are computed from. This depends only on the workflow and the
 * invokers, not on data of the run. Unknown fields and operations are omitted.
 */
export function connectorNeeds(
  uses: ReadonlyMap<number, ConnectorUse>,
  known: ReadonlyMap<number, KnownConnector>,
): ReadonlyMap<number, ConnectorUse> {
  const needs = new Map<number, GrowingUse>(
    [...known.keys()].map((id) => [
      id,
      { operations: new Set<string>(), fields: new Set<string>() },
    ]),
  );
  const open: Ask[] = [...uses].flatMap(([id, { operations, fields }]) => [
    ...[...operations].map((operation) => ({ id, operation })),
    ...[...fields].map((field) => ({ id, field })),
  ]);
  for (let ask = open.pop(); ask !== undefined; ask = open.pop()) {
    const [connector, need] = [known.get(ask.id), needs.get(ask.id)];
    if (connector !== undefined && need !== undefined) open.push(...askedBy(ask, connector, need));
  }
  return needs;
}

/** Adds a field or operation; returns what it depends on, or nothing if it was known. */
function askedBy(ask: Ask, { invoker, values }: KnownConnector, need: GrowingUse): Ask[] {
  const { id } = ask;
  if ('operation' in ask) {
    const operation = invoker.operations.find(({ name }) => name === ask.operation);
    if (operation === undefined || need.operations.has(operation.name)) return [];
    need.operations.add(operation.name);
    const { endpoint, header, body } = operation.request;
    return [...textsIn([endpoint, header.map(({ value }) => value), body?.value])]
      .flatMap((text) => (text === null ? [] : fieldsAskedBy(text)))
      .map(({ connectorId, name }) => ({ id: connectorId ?? id, field: name }));
  }
  const field = invoker.requiredData.find(({ name }) => name === ask.field);
  if (field === undefined || need.fields.has(field.name)) return [];
  need.fields.add(field.name);
  const { fields, operations } = sourcesOfField(field, values);
  return [
    ...fields.map((name) => ({ id, field: name })),
    ...operations.map((operation) => ({ id, operation })),
  ];
}

import { sourcesOfField } from './field-values';
import type { InvokerFacts } from './invoker-facts';
import { fieldsAskedBy, textsIn } from './text-template';
import { secretsIn } from '../../platform/secrets';
import { EngineError } from '../errors';
import { cleanMethod, listOf } from '../plan/clean';
import { executedAs } from '../plan/read-method';
import type { WorkflowSnapshot } from '../snapshot';
import { connectorIdOf, findCall, requestOfCall } from './connector-call';
import type { RunConnectors } from './connector-call';

/** What a run uses of a connector. */
export interface ConnectorUse {
  /** Names of operations. */
  readonly operations: ReadonlySet<string>;
  /** Names of fields; they may not exist. */
  readonly fields: ReadonlySet<string>;
}

/** Mutable variant. */
interface GrowingUse {
  readonly operations: Set<string>;
  readonly fields: Set<string>;
}

/** Returns the connectors of a workflow, with the operations and fields that its steps use. */
export function connectorUses(snapshot: WorkflowSnapshot): ReadonlyMap<number, ConnectorUse> {
  const uses = new Map<number, GrowingUse>();
  const useOf = (id: number): GrowingUse => {
    const use = uses.get(id) ?? { operations: new Set<string>(), fields: new Set<string>() };
    uses.set(id, use);
    return use;
  };
  for (const doc of listOf(snapshot.fromConnector?.methods)) {
    const method = cleanMethod(doc);
    if (executedAs(method, snapshot.fromConnector.connectorId) !== 'CONNECTOR') continue;
    const id = connectorIdOf(method, snapshot.fromConnector.connectorId);
    if (id === null) continue;
    useOf(id).operations.add(method.name ?? '');
    const { request } = method;
    for (const text of textsIn([request?.endpoint, request?.header, request?.body?.fields])) {
      for (const { connectorId, name } of fieldsAskedBy(text))
        useOf(connectorId ?? id).fields.add(name);
    }
  }
  return uses;
}

/**
 * Returns the keys of the named secrets that connector steps send: those in the step, and those in
 * the operation that the step does not override.
 */
export function secretsOfCalls(
  snapshot: WorkflowSnapshot,
  connectors: RunConnectors,
): ReadonlySet<string> {
  const named = new Set<string>();
  if (connectors.size === 0) return named;
  const { connectorId, methods } = snapshot.fromConnector;
  for (const doc of listOf(methods)) {
    const method = cleanMethod(doc);
    if (executedAs(method, connectorId) !== 'CONNECTOR') continue;
    const call = findCall(method, connectorId, connectors);
    if (call instanceof EngineError) continue;
    const { endpoint, header, body } = requestOfCall(method.request, call.operation);
    for (const key of secretsIn([endpoint, header, body?.fields])) named.add(key);
  }
  return named;
}

/** The parts of a connector that determine what its values are computed from. */
interface KnownConnector {
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
  connectors: ReadonlyMap<number, KnownConnector>,
): ReadonlyMap<number, ConnectorUse> {
  const needs = new Map<number, GrowingUse>(
    [...connectors.keys()].map((id) => [
      id,
      { operations: new Set<string>(), fields: new Set<string>() },
    ]),
  );
  const open: Ask[] = [...uses].flatMap(([id, { operations, fields }]) => [
    ...[...operations].map((operation) => ({ id, operation })),
    ...[...fields].map((field) => ({ id, field })),
  ]);
  for (let ask = open.pop(); ask !== undefined; ask = open.pop()) {
    const [connector, need] = [connectors.get(ask.id), needs.get(ask.id)];
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
      .flatMap(fieldsAskedBy)
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

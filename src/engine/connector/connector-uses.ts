import { cleanMethod, listOf } from '../plan/clean';
import { executedAs } from '../plan/read-method';
import type { WorkflowSnapshot } from '../snapshot';
import type { Steps, Turn } from '../turns';
import { connectorIdOf } from './connector-call';
import { fieldsAskedBy } from './text-template';
import { textsIn } from './texts-in';

/** What a run uses of a connector. */
export interface ConnectorUse {
  /** Names of operations. */
  readonly operations: ReadonlySet<string>;
  /** Names of fields; they may not exist. */
  readonly fields: ReadonlySet<string>;
}

/** Mutable variant. */
export interface GrowingUse {
  readonly operations: Set<string>;
  readonly fields: Set<string>;
}

/** Returns the connectors of a workflow, with the operations and fields that its steps use. */
export function* connectorUses(
  snapshot: WorkflowSnapshot,
  turn: Turn,
): Steps<ReadonlyMap<number, ConnectorUse>> {
  const uses = new Map<number, GrowingUse>();
  const useOf = (id: number): GrowingUse => {
    const use = uses.get(id) ?? { operations: new Set<string>(), fields: new Set<string>() };
    uses.set(id, use);
    return use;
  };
  for (const doc of listOf(snapshot.fromConnector?.methods)) {
    if (turn.over) yield;
    const method = cleanMethod(doc);
    if (executedAs(method, snapshot.fromConnector.connectorId) !== 'CONNECTOR') continue;
    const id = connectorIdOf(method, snapshot.fromConnector.connectorId);
    if (id === null) continue;
    useOf(id).operations.add(method.name ?? '');
    const { request } = method;
    for (const text of textsIn([request?.endpoint, request?.header, request?.body?.fields])) {
      if (turn.over) yield;
      for (const { connectorId, name } of text === null ? [] : fieldsAskedBy(text))
        useOf(connectorId ?? id).fields.add(name);
    }
  }
  return uses;
}

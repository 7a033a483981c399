import { cleanMethod, listOf } from '../plan/clean';
import { executedAs } from '../plan/read-method';
import type { WorkflowSnapshot } from '../snapshot';
import type { Steps, Turn } from '../turns';
import { connectorIdOf } from './connector-call';

const OTHER_CONNECTOR = /\{#(\d{1,9})\.[^{}%#]+\}/g;

/** The connectors that a run of a workflow needs, each with the operations that its steps name. */
export function* connectorUses(snapshot: WorkflowSnapshot, turn: Turn): Steps<ReadonlyMap<number, ReadonlySet<string>>> {
  const uses = new Map<number, Set<string>>();
  const used = (id: number): Set<string> => {
    const operations = uses.get(id) ?? new Set<string>();
    uses.set(id, operations);
    return operations;
  };
  for (const doc of listOf(snapshot.fromConnector?.methods)) {
    if (turn.over) yield;
    const method = cleanMethod(doc);
    if (executedAs(method, snapshot.fromConnector.connectorId) !== 'CONNECTOR') continue;
    const id = connectorIdOf(method, snapshot.fromConnector.connectorId);
    if (id === null) continue;
    used(id).add(method.name ?? '');
    for (const other of yield* othersIn([method.request?.endpoint, method.request?.header, method.request?.body?.fields], turn)) used(other);
  }
  return uses;
}

/** Ids of other connectors whose values a request asks for. */
function* othersIn(root: unknown, turn: Turn): Steps<Set<number>> {
  const ids = new Set<number>();
  const open = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (turn.over) yield;
    if (typeof value === 'string') for (const [, id] of value.matchAll(OTHER_CONNECTOR)) ids.add(Number(id));
    else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) open.push(inner ?? null);
  }
  return ids;
}

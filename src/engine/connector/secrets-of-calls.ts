import { secretsIn } from '../../platform/secrets';
import { EngineError } from '../errors';
import { cleanMethod, listOf } from '../plan/clean';
import { executedAs } from '../plan/read-method';
import type { WorkflowSnapshot } from '../snapshot';
import type { Steps, Turn } from '../turns';
import { findCall, requestOfCall } from './connector-call';
import type { RunConnectors } from './connector-call';

/**
 * Returns the keys of the named secrets that connector steps send: those in the step, and those in
 * the operation that the step does not override.
 */
export function* secretsOfCalls(
  snapshot: WorkflowSnapshot,
  connectors: RunConnectors,
  turn: Turn,
): Steps<ReadonlySet<string>> {
  const named = new Set<string>();
  if (connectors.size === 0) return named;
  const { connectorId, methods } = snapshot.fromConnector;
  for (const doc of listOf(methods)) {
    if (turn.over) yield;
    const method = cleanMethod(doc);
    if (executedAs(method, connectorId) !== 'CONNECTOR') continue;
    const call = findCall(method, connectorId, connectors);
    if (call instanceof EngineError) continue;
    const { endpoint, header, body } = requestOfCall(method.request, call.operation);
    for (const key of yield* secretsIn([endpoint, header, body?.fields], turn)) named.add(key);
  }
  return named;
}

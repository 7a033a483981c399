import type { RunConnectors } from '../../../src/engine/connector/connector-call';
import { planOf } from '../../../src/engine/plan/build';
import type { WorkflowSnapshot } from '../../../src/engine';

/** Freezes a plan, which is reused by all runs of a snapshot, so that a run cannot modify it. */
export function freezePlan(
  snapshot: WorkflowSnapshot,
  connectors: RunConnectors = new Map(),
): void {
  const open: unknown[] = [planOf(snapshot, connectors).roots];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (
      typeof value !== 'object' ||
      value === null ||
      Object.isFrozen(value) ||
      ArrayBuffer.isView(value)
    )
      continue;
    Object.freeze(value);
    open.push(...Object.values(value).filter((inner) => inner !== undefined));
  }
}

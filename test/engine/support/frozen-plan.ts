import type { RunConnectors } from '../../../src/engine/connector/connector-call';
import { planOf } from '../../../src/engine/plan/build';
import type { WorkflowSnapshot } from '../../../src/engine';

/** A plan serves every run of its snapshot, one after the other: frozen, it refuses a run that leaves anything in it. */
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

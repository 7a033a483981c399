import type { MethodNode } from '../plan/plan';
import type { OutboundRequest, OutboundResponse } from '../ports';
import type { Exchange } from '../reference/scope';
import type { Value } from '../value';
import type { RunContext } from './context';

/** Filled in by an executor while it works, so that a failed step can report what it sent. */
export interface StepTrace {
  request: OutboundRequest | null;
  sent: Value;
  response: OutboundResponse | null;
  body: Value;
  /** Bytes of further responses that are part of the exchange. */
  moreBytes: number;
  /** For users; each becomes a `RunLog` event. */
  readonly warnings: string[];
}

export const emptyTrace = (): StepTrace => ({
  request: null,
  sent: null,
  response: null,
  body: null,
  moreBytes: 0,
  warnings: [],
});

/**
 * Executes one attempt of a method and returns its exchange. Rejects with an Error that has a
 * `code`.
 * @param deadline in terms of `performance.now()`
 */
export type StepExecutor = (
  node: MethodNode,
  context: RunContext,
  trace: StepTrace,
  deadline: number,
) => Promise<Exchange>;

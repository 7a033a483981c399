import type { MethodNode } from '../plan/plan';
import type { OutboundRequest, OutboundResponse } from '../ports';
import type { Exchange } from '../reference/scope';
import type { Value } from '../value';
import type { RunContext } from './context';

/** What an executor leaves behind while it works, so that a failed step still tells what it sent. */
export interface StepTrace {
  request: OutboundRequest | null;
  sent: Value;
  response: OutboundResponse | null;
  body: Value;
  /** Bytes of answers beside this one that the exchange is made of. */
  moreBytes: number;
  /** For people; each becomes a `RunLog`. */
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
 * Executes one method, once, and gives the exchange that references see. It fails with an Error that has a `code`.
 * @param deadline when it must be done, as `performance.now()` tells the time
 */
export type StepExecutor = (
  node: MethodNode,
  context: RunContext,
  trace: StepTrace,
  deadline: number,
) => Promise<Exchange>;

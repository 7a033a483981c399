import type { MethodNode } from '../plan/plan';
import type { Exchange } from '../reference/scope';
import type { OutboundRequest, OutboundResponse } from '../ports';
import type { Value } from '../value';
import type { RunContext } from './context';
import { executeHttpRequest } from './http-step';

/** What an executor leaves behind while it works, so that a failed step still tells what it sent. */
export interface StepTrace {
  request: OutboundRequest | null;
  sent: Value;
  response: OutboundResponse | null;
  body: Value;
  /** For people; each becomes a `RunLog`. */
  readonly warnings: string[];
}

/** Executes one method and gives the exchange that references see. It fails with an Error that has a `code`. */
export type StepExecutor = (node: MethodNode, context: RunContext, trace: StepTrace) => Promise<Exchange>;

/** One executor per method type; a type that is missing here ends the run with METHOD_TYPE_NOT_AVAILABLE. */
export const executors: ReadonlyMap<string, StepExecutor> = new Map([['HTTP_REQUEST', executeHttpRequest]]);

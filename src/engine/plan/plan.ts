import type { ConnectorCall } from '../connector/connector-call';
import type { EngineError } from '../errors';
import type { CalledConnector } from '../events';
import type { Expression, LoopExpression } from '../expression/tree';
import type { RequestTemplate } from '../request/request';
import type { StepScript } from '../scripts/step-script';
import type { StepProblem } from './problems';

/** How long the answer of a step must be remembered: not at all, for the turn it belongs to, or for every turn of the run. */
export type Keep = 'NONE' | 'TURN' | 'ALL';

interface Node {
  readonly stepId: string | null;
  readonly index: string;
  /** The loops around it, outermost first. */
  readonly loops: readonly LoopNode[];
  /** Its place in walking order, from 0. */
  readonly position: number;
}

export interface MethodNode extends Node {
  readonly kind: 'method';
  readonly name: string | null;
  readonly label: string | null;
  /** `#RRGGBB` in upper case; null when the step has none and nobody can refer to it. */
  readonly color: string | null;
  /** As saved. */
  readonly methodType: string | null;
  /** What executes it; legacy data without a type and without a connector is a plain HTTP request. */
  readonly executedAs: string;
  readonly request: RequestTemplate | null;
  /** What it calls by a connector, or why it cannot; null for the others, and where a workflow is only judged. */
  readonly call: ConnectorCall | EngineError | null;
  /** That connector, for who reads what happened. */
  readonly connector: CalledConnector | null;
  /** Longest it may take, with all its tries; null: it does not say. */
  readonly timeoutMs: number | null;
  /** How often it is tried again; null: it does not say. */
  readonly retries: number | null;
  /** The first pause between tries; null: it does not say. */
  readonly backoffMs: number | null;
  /** What field bindings have evaluated before its request is built. */
  readonly scripts: readonly StepScript[];
  /** Id of the aggregator that is evaluated over its calls; null: none is. */
  readonly aggregator: number | null;
  /** It says where the run goes on. */
  readonly jumps: boolean;
  keep: Keep;
  /** Something reads a part of its answer. */
  readsFields: boolean;
  /** A later step reads `fail`, `status` or `header` of this one, so an answer from 400 on is a value for it and no end of the run. */
  statusIsValue: boolean;
}

export interface IfNode extends Node {
  readonly kind: 'if';
  readonly text: string;
  readonly expression: Expression | null;
  /** What was told must have left before it is evaluated. */
  readonly mayTakeLong: boolean;
  readonly children: PlanNode[];
}

export interface LoopNode extends Node {
  readonly kind: 'loop';
  readonly text: string;
  readonly iterator: string;
  readonly loop: LoopExpression | null;
  /** What was told must have left before it is opened. */
  readonly mayTakeLong: boolean;
  /** A method stands in its body, at any depth. */
  holdsMethods: boolean;
  readonly children: PlanNode[];
}

export type PlanNode = MethodNode | IfNode | LoopNode;

/** A workflow ready to be walked, and what is wrong with it. */
export interface Plan {
  readonly roots: readonly PlanNode[];
  readonly problems: StepProblem[];
}

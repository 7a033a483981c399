import type { ConnectorCall } from '../connector/connector-call';
import type { EngineError } from '../errors';
import type { CalledConnector } from '../events';
import type { Expression, LoopExpression } from '../expression/tree';
import type { RequestTemplate } from '../request/request';
import type { StatusRanges } from '../response/status-ranges';
import type { StepScript } from '../scripts/step-script';
import type { StepProblem } from './problems';

/** Supported HTTP methods. */
export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

/** Methods that are safe to repeat. */
export const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']);

/** Parses the name of an HTTP method in any case; returns null if unknown. */
export function httpMethodOf(text: unknown): HttpMethod | null {
  const name = typeof text === 'string' ? text.trim().toUpperCase() : '';
  return HTTP_METHODS.find((method) => method === name) ?? null;
}

export const OPERATOR_TYPES = ['if', 'loop'] as const;
export type OperatorType = (typeof OPERATOR_TYPES)[number];

/** Parses the type of an operator; returns null if unknown. */
export function operatorTypeOf(text: string | null | undefined): OperatorType | null {
  const type = text?.trim().toLowerCase();
  return OPERATOR_TYPES.find((operator) => operator === type) ?? null;
}

/** Parses an index: "1_0_12" becomes [1, 0, 12]. Returns null if it is invalid. */
export function parseIndex(index: string | null | undefined): readonly number[] | null {
  if (typeof index !== 'string' || !/^\d{1,9}(?:_\d{1,9})*$/.test(index)) return null;
  return index.split('_').map(Number);
}

/** Compares part by part; a prefix sorts before its extensions. */
export function compareIndexes(left: readonly number[], right: readonly number[]): number {
  const common = Math.min(left.length, right.length);
  for (let part = 0; part < common; part += 1) {
    if (left[part] !== right[part]) return left[part] - right[part];
  }
  return left.length - right.length;
}

export function isInside(inner: readonly number[], outer: readonly number[]): boolean {
  return inner.length > outer.length && outer.every((part, position) => inner[position] === part);
}

/**
 * How long a response is kept: not at all, for the current loop iteration, or for the whole run.
 */
export type Keep = 'NONE' | 'TURN' | 'ALL';

interface Node {
  readonly stepId: string | null;
  readonly index: string;
  /** Enclosing loops, outermost first. */
  readonly loops: readonly LoopNode[];
  /** Position in walking order, from 0. */
  readonly position: number;
  /** False: it, or an operator around it, is switched off, and it is skipped. */
  readonly enabled: boolean;
}

export interface MethodNode extends Node {
  readonly kind: 'method';
  readonly name: string | null;
  readonly label: string | null;
  /** `#RRGGBB` in upper case; null if there is none, so nothing can refer to the step. */
  readonly color: string | null;
  /** Type as saved. */
  readonly methodType: string | null;
  /** Effective type; legacy data without type and connector is an HTTP request. */
  readonly executedAs: string;
  readonly request: RequestTemplate | null;
  /** The connector call, or why it is impossible; null for other types and when only validating. */
  readonly call: ConnectorCall | EngineError | null;
  /** The same connector, for events. */
  readonly connector: CalledConnector | null;
  /** Timeout including retries, ms; null: not set. */
  readonly timeoutMs: number | null;
  /** What sets the timeout. */
  readonly timeoutOf: 'step' | 'connector';
  /** Number of retries; null: not set. */
  readonly retries: number | null;
  /** First delay between attempts, ms; null: not set. */
  readonly backoffMs: number | null;
  /** Scripts of field bindings, evaluated before the request is built. */
  readonly scripts: readonly StepScript[];
  /** Id of the aggregator for its calls, or null. */
  readonly aggregator: number | null;
  /** The step ends if one of its references is null. */
  readonly required: boolean;
  /** What the step sends may be sent again, whatever its HTTP method. */
  readonly repeatable: boolean;
  /** Statuses that count as success; null: those below 400, or as the operation says. */
  readonly successStatus: StatusRanges | null;
  /** The step has a jump target. */
  readonly jumps: boolean;
  keep: Keep;
  /** Whether any step reads a part of the response. */
  readsFields: boolean;
  /**
   * Whether a later step reads `fail`, `status` or `header`: then a failure does not end the run.
   */
  statusIsValue: boolean;
}

export interface IfNode extends Node {
  readonly kind: 'if';
  readonly text: string;
  readonly expression: Expression | null;
  /** Pending events must be flushed before the evaluation. */
  readonly mayTakeLong: boolean;
  readonly children: PlanNode[];
}

export interface LoopNode extends Node {
  readonly kind: 'loop';
  readonly text: string;
  readonly iterator: string;
  readonly loop: LoopExpression | null;
  /** Pending events must be flushed before the evaluation. */
  readonly mayTakeLong: boolean;
  /** Whether the body contains a method at any depth. */
  holdsMethods: boolean;
  readonly children: PlanNode[];
}

export type PlanNode = MethodNode | IfNode | LoopNode;

/** A reference that a step reads. */
export interface ReadReference {
  readonly step: { readonly index: string; readonly stepId: string | null };
  /** Path of the field within the step. */
  readonly field: string;
  readonly reference: {
    readonly color: string;
    readonly part: string;
    /** Names of the fields on its path; null for one that depends on data. Lists are left out. */
    readonly names: readonly (string | null)[];
    /** The reference as written. */
    readonly path: string;
  };
}

/** A parsed workflow and its problems. */
export interface Plan {
  readonly roots: readonly PlanNode[];
  readonly problems: StepProblem[];
  /** The references of its steps; empty for a run. */
  readonly reads: readonly ReadReference[];
  /** Indexes of the steps that are skipped. */
  readonly disabled: ReadonlySet<string>;
}

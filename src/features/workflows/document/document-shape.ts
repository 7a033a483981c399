import { STEP_TYPE_NAMES } from '../../../engine';
import type { StepType } from '../../../engine';
import type { JsonObject } from './json';

/** Values of `methodType`; null in legacy data. */
export const METHOD_TYPES = STEP_TYPE_NAMES;
export type MethodTypeName = StepType;

/**
 * A stored method or operator. The fields named here are checked; all others are kept unchanged.
 */
export interface StepDocument extends JsonObject {
  readonly id: string;
  readonly index?: string | null;
}

export interface MethodDocument extends StepDocument {
  readonly name?: string | null;
  readonly label?: string | null;
  readonly color?: string | null;
  readonly methodType?: MethodTypeName | null;
}

export interface OperatorDocument extends StepDocument {
  readonly type?: string | null;
  readonly expression: string;
  readonly iterator?: string | null;
}

/**
 * The content of a version snapshot: a workflow in the 5.0 shape (spec 2.8), without `connectionId`
 * and `nodeId`.
 */
export interface WorkflowDocument extends JsonObject {
  readonly title: string;
  readonly description?: string | null;
  readonly fromConnector: JsonObject & {
    readonly methods: readonly MethodDocument[];
    readonly operators: readonly OperatorDocument[];
  };
  readonly toConnector: null;
  readonly fieldBinding: readonly JsonObject[];
}

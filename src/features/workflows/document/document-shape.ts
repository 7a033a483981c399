import type { JsonObject } from './json';

/**
 * Values of `methodType`; null in legacy data. Stored in documents and hardcoded in clients: do not
 * change.
 */
export const METHOD_TYPES = ['CONNECTOR', 'HTTP_REQUEST', 'WEBHOOK'] as const;
export type MethodTypeName = (typeof METHOD_TYPES)[number];

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

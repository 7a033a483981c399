import type { StatusRanges } from '../response/status-ranges';

/**
 * `public`: visible to readers of the connector; `protected`: hidden; `private`: computed, hidden.
 */
export type Visibility = 'public' | 'protected' | 'private';

/** A credentials field defined by an invoker. */
export interface RequiredField {
  readonly name: string;
  readonly type: string;
  readonly visibility: Visibility;
  /** Default value or an expression that computes it; may be empty. */
  readonly value: string;
}

/** Body of a request or response. */
export interface OperationBody {
  readonly type: string;
  readonly format: string;
  readonly data: string;
  /** Objects, lists, strings and null. */
  readonly value: unknown;
}

/** A declared response of an operation, for success or failure. */
export interface OperationResult {
  /** Status as text: `200`. */
  readonly status: string;
  readonly body: OperationBody | null;
}

/** A value passed from page to page. */
export interface PageParameter {
  readonly name: string;
  readonly action: string | null;
  readonly ref: string | null;
  /** Initial value. */
  readonly value: string;
}

/** An operation of a remote system. */
export interface Operation {
  readonly name: string;
  /** `test`: checks the credentials. `page`: has several pages. */
  readonly type: string;
  readonly request: {
    readonly endpoint: string;
    readonly method: string;
    readonly header: readonly { readonly name: string; readonly value: string }[];
    readonly body: OperationBody | null;
  };
  readonly success: OperationResult | null;
  readonly fail: OperationResult | null;
  /** All failure responses, one per status. If missing, `fail` is the only one. */
  readonly fails?: readonly OperationResult[];
  /** Statuses that the calling step counts as success, in place of all others. */
  readonly successStatus?: StatusRanges;
  /** Empty: use that of the invoker. */
  readonly pagination: readonly PageParameter[];
}

/** Describes how to call a kind of remote system. */
export interface InvokerFacts {
  readonly name: string;
  readonly requiredData: readonly RequiredField[];
  readonly operations: readonly Operation[];
  readonly pagination: readonly PageParameter[];
}

/** Failure responses of an operation, one per status. */
export const failsOf = ({
  fail,
  fails,
}: Pick<Operation, 'fail' | 'fails'>): readonly OperationResult[] =>
  fails ?? (fail === null ? [] : [fail]);

/** Checkmk expects forms with all data as JSON in a single field. */
export const isFormOfJson = (invoker: string): boolean => invoker.toLowerCase() === 'checkmk';

/** A connector that a run calls, with credentials. Plain data: it is sent to another process. */
export interface RunConnector {
  readonly id: number;
  /** Title of the connector. */
  readonly title: string;
  /** False: do not verify certificates. */
  readonly verifyTls: boolean;
  /** True: cookies from its remote system are sent with later calls of the run. */
  readonly keepsCookies?: boolean;
  /** Timeout of steps that call it, ms; 0: not set. */
  readonly timeoutMs: number;
  /** Configured values of the fields that the run needs, by name. */
  readonly values: Readonly<Record<string, string>>;
  /** Origins of its operations and public fields. Requests that compute values go only there. */
  readonly origins: readonly string[];
  /** Origins that each non-public field may be sent to. */
  readonly fieldOrigins: Readonly<Record<string, readonly string[]>>;
  /**
   * Fields that would be sent to origins they were not entered for; must be confirmed before use.
   */
  readonly suspended: readonly string[];
  /** Contains only the operations and fields that the run may need; null: it no longer exists. */
  readonly invoker: InvokerFacts | null;
  readonly invokerName: string;
}

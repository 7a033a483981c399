/** Who sees a field: everybody who reads the connector, nobody, or nobody because it is computed. */
export type Visibility = 'public' | 'protected' | 'private';

/** A field of the credentials, as an invoker asks for it. */
export interface RequiredField {
  readonly name: string;
  readonly type: string;
  readonly visibility: Visibility;
  /** Its default, or an expression that computes it; empty for none. */
  readonly value: string;
}

/** The body of a request or an answer. */
export interface OperationBody {
  readonly type: string;
  readonly format: string;
  readonly data: string;
  /** Objects, lists, texts and null. */
  readonly value: unknown;
}

/** What an operation answers, when it went well or when it did not. */
export interface OperationResult {
  /** As text: `200`. */
  readonly status: string;
  readonly body: OperationBody | null;
}

/** A value that is carried from page to page. */
export interface PageParameter {
  readonly name: string;
  readonly action: string | null;
  readonly ref: string | null;
  /** What it is at first. */
  readonly value: string;
}

/** One call that a remote system understands. */
export interface Operation {
  readonly name: string;
  /** `test` for the one that is made to look whether the credentials are right, `page` for one whose pages are read one after the other. */
  readonly type: string;
  readonly request: {
    readonly endpoint: string;
    readonly method: string;
    readonly header: readonly { readonly name: string; readonly value: string }[];
    readonly body: OperationBody | null;
  };
  readonly success: OperationResult | null;
  readonly fail: OperationResult | null;
  /** All of them, each of another status; where they are missing `fail` is the only one. */
  readonly fails?: readonly OperationResult[];
  /** Empty: that of the invoker counts. */
  readonly pagination: readonly PageParameter[];
}

/** How to speak to a kind of remote system. */
export interface InvokerFacts {
  readonly name: string;
  readonly requiredData: readonly RequiredField[];
  readonly operations: readonly Operation[];
  readonly pagination: readonly PageParameter[];
}

/** The failures of an operation, each of another status. */
export const failsOf = ({
  fail,
  fails,
}: Pick<Operation, 'fail' | 'fails'>): readonly OperationResult[] =>
  fails ?? (fail === null ? [] : [fail]);

/** The one remote system whose forms hold JSON in one field. */
export const isFormOfJson = (invoker: string): boolean => invoker.toLowerCase() === 'checkmk';

/** A connector that a run calls, with its credentials. Plain data: it crosses to another process. */
export interface RunConnector {
  readonly id: number;
  /** What people call it. */
  readonly title: string;
  /** False: no certificate is judged. */
  readonly verifyTls: boolean;
  /** True: cookies that its remote system sets are sent with later calls of the run. */
  readonly keepsCookies?: boolean;
  /** Longest a step may take that calls it, ms; 0: it does not say. */
  readonly timeoutMs: number;
  /** What was given for the fields that the run needs, by name. */
  readonly values: Readonly<Record<string, string>>;
  /** Origins that its operations and its public fields name: requests that compute a value go nowhere else. */
  readonly origins: readonly string[];
  /** Those of them that each field which is not public may be sent to: what it is computed from was entered for them. */
  readonly fieldOrigins: Readonly<Record<string, readonly string[]>>;
  /** Fields whose values would be sent to origins they were not entered for: it is called by no step until somebody confirms them. */
  readonly suspended: readonly string[];
  /** With the operations and fields that the run may need, and no others, each as visible as its stored value may be; null: there is none of its name any more. */
  readonly invoker: InvokerFacts | null;
  readonly invokerName: string;
}

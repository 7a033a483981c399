/** Who sees a field of the required data: `public` everybody, `protected` nobody again once it is stored; `private` is computed and not asked for. */
export const VISIBILITIES = ['public', 'protected', 'private'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** One thing that a connector of the invoker has to know. */
export interface RequiredField {
  readonly name: string;
  readonly type: string;
  readonly visibility: Visibility;
  /** Its default or, where it is computed, the expression; often empty. */
  readonly value: string;
}

/** A header of a request or an answer. */
export interface HeaderItem {
  readonly name: string;
  readonly type: string;
  readonly value: string;
}

/** A field of a body, as the XML has it. Whoever wants what it stands for reads `InvokerBody.value`. */
export interface BodyField {
  readonly name: string;
  readonly type: string;
  /** Its text; empty where it has fields. */
  readonly text: string;
  readonly fields: readonly BodyField[];
}

export type FieldValue =
  string | null | readonly FieldValue[] | { readonly [name: string]: FieldValue };

/** The body of a request or an answer. */
export interface InvokerBody {
  /** `object`, `array`, `string`. */
  readonly type: string;
  /** `json`, `xml`, `text`, `x-www-form-urlencoded`. */
  readonly format: string;
  /** `raw`, `graphql`, `form-data`. */
  readonly data: string;
  readonly fields: readonly BodyField[];
  /** The fields as they are sent: objects, lists, texts and null. */
  readonly value: { readonly [name: string]: FieldValue };
}

export interface InvokerRequest {
  readonly method: string;
  /** With `{field}` for what the connector knows and `@{name}` for what pagination carries. */
  readonly endpoint: string;
  readonly header: readonly HeaderItem[];
  readonly body: InvokerBody | null;
}

/** What a remote system answers, when it went well or when it did not. */
export interface InvokerResult {
  /** As text: `200`. */
  readonly status: string;
  readonly header: readonly HeaderItem[];
  readonly body: InvokerBody | null;
}

/** One of the values that are carried from page to page. */
export interface PaginationParameter {
  readonly name: string;
  readonly action: string | null;
  readonly ref: string | null;
  /** What it is at first. */
  readonly value: string;
}

export interface InvokerOperation {
  readonly name: string;
  /** `test` (the check of a connector runs the first of them), `auth`, `page` (its pages are read one after the other), or empty. */
  readonly type: string;
  readonly request: InvokerRequest;
  readonly success: InvokerResult | null;
  /** The first of `fails`. */
  readonly fail: InvokerResult | null;
  /** Each of another status. */
  readonly fails: readonly InvokerResult[];
  /** Empty: that of the invoker counts. */
  readonly pagination: readonly PaginationParameter[];
}

/** What the XML of an invoker says. */
export interface InvokerDefinition {
  readonly name: string;
  /** `RESTful` or `openapi`; for people. */
  readonly type: string;
  readonly description: string | null;
  readonly hint: string | null;
  readonly icon: string | null;
  /** `basic`, `token`, `apikey`, `endpointAuth`; for people. */
  readonly authType: string | null;
  readonly requiredData: readonly RequiredField[];
  readonly pagination: readonly PaginationParameter[];
  /** Several may have one name: the first is found by it. */
  readonly operations: readonly InvokerOperation[];
  /** What was assumed while it was read, each with its line. */
  readonly warnings: readonly string[];
}

/** An invoker of this installation: a description of the interface of a remote system. */
export interface Invoker extends InvokerDefinition {
  readonly id: number;
  /** Counts changes. */
  readonly version: number;
}

/** The operation that the check of a connector runs; undefined where the invoker has none. */
export const testOperation = ({ operations }: InvokerDefinition): InvokerOperation | undefined =>
  operations.find(({ type }) => type === 'test');

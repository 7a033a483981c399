/**
 * Who may read a required field: `public` all readers; `protected` no one once it is stored.
 * `private` is computed, not entered.
 */
export const VISIBILITIES = ['public', 'protected', 'private'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** A value that connectors of the invoker need. */
export interface RequiredField {
  readonly name: string;
  readonly type: string;
  readonly visibility: Visibility;
  /** The default or, for a computed field, the expression; often empty. */
  readonly value: string;
}

export interface HeaderItem {
  readonly name: string;
  readonly type: string;
  readonly value: string;
}

/** A body field as in the XML. Its value is in `InvokerBody.value`. */
export interface BodyField {
  readonly name: string;
  readonly type: string;
  /** The text; empty if there are nested fields. */
  readonly text: string;
  readonly fields: readonly BodyField[];
}

export type FieldValue =
  string | null | readonly FieldValue[] | { readonly [name: string]: FieldValue };

export interface InvokerBody {
  /** `object`, `array`, `string`. */
  readonly type: string;
  /** `json`, `xml`, `text`, `x-www-form-urlencoded`. */
  readonly format: string;
  /** `raw`, `graphql`, `form-data`. */
  readonly data: string;
  readonly fields: readonly BodyField[];
  /** The fields as sent: objects, lists, texts and null. */
  readonly value: { readonly [name: string]: FieldValue };
}

export interface InvokerRequest {
  readonly method: string;
  /** Contains `{field}` for values of the connector and `@{name}` for pagination parameters. */
  readonly endpoint: string;
  readonly header: readonly HeaderItem[];
  readonly body: InvokerBody | null;
}

/** An expected response of the remote system, for success or failure. */
export interface InvokerResult {
  /** As text: `200`. */
  readonly status: string;
  readonly header: readonly HeaderItem[];
  readonly body: InvokerBody | null;
}

/** A value that is carried from page to page. */
export interface PaginationParameter {
  readonly name: string;
  readonly action: string | null;
  readonly ref: string | null;
  readonly value: string;
}

export interface InvokerOperation {
  readonly name: string;
  /**
   * `test` (a connector check runs the first one), `auth`, `page` (pages are read one after the
   * other), or empty.
   */
  readonly type: string;
  readonly request: InvokerRequest;
  readonly success: InvokerResult | null;
  /** The first of `fails`. */
  readonly fail: InvokerResult | null;
  /** At most one for each status. */
  readonly fails: readonly InvokerResult[];
  /** If empty, that of the invoker applies. */
  readonly pagination: readonly PaginationParameter[];
}

/** The parsed XML of an invoker. */
export interface InvokerDefinition {
  readonly name: string;
  /** `RESTful` or `openapi`; informational. */
  readonly type: string;
  readonly description: string | null;
  readonly hint: string | null;
  readonly icon: string | null;
  /** `basic`, `token`, `apikey`, `endpointAuth`; informational. */
  readonly authType: string | null;
  readonly requiredData: readonly RequiredField[];
  readonly pagination: readonly PaginationParameter[];
  /** Names may repeat: a lookup by name finds the first. */
  readonly operations: readonly InvokerOperation[];
  /** Assumptions made while parsing, with lines. */
  readonly warnings: readonly string[];
}

/** A stored invoker. */
export interface Invoker extends InvokerDefinition {
  readonly id: number;
  /** Incremented with each change. */
  readonly version: number;
}

/** Returns the operation that a connector check runs, if any. */
export const testOperation = ({ operations }: InvokerDefinition): InvokerOperation | undefined =>
  operations.find(({ type }) => type === 'test');

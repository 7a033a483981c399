import type {
  Operation,
  OperationBody,
  OperationResult,
  PageParameter,
  RequiredField,
} from '../../engine';

export type { PageParameter, RequiredField, Visibility } from '../../engine';

export const VISIBILITIES = [
  'public',
  'protected',
  'private',
] as const satisfies readonly RequiredField['visibility'][];

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

/**
 * `type` is `object`, `array` or `string`; `format` is `json`, `xml`, `text` or
 * `x-www-form-urlencoded`; `data` is `raw`, `graphql` or `form-data`.
 */
export interface InvokerBody extends OperationBody {
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
export interface InvokerResult extends OperationResult {
  readonly header: readonly HeaderItem[];
  readonly body: InvokerBody | null;
}

/**
 * `type` is `test` (a connector check runs the first one), `auth`, `page` (pages are read one after
 * the other), or empty.
 */
export interface InvokerOperation extends Operation {
  readonly request: InvokerRequest;
  readonly success: InvokerResult | null;
  /** The first of `fails`. */
  readonly fail: InvokerResult | null;
  /** At most one for each status. */
  readonly fails: readonly InvokerResult[];
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
  readonly pagination: readonly PageParameter[];
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

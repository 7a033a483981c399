import type { RunErrorCode } from './run-error-codes';

/**
 * What to do about each error code of a run, in Markdown with links relative to docs/. Clients get
 * it as plain text; `npm run generate` writes docs/run-errors.md from it.
 */
export const RUN_ERROR_REMEDIES: Readonly<Record<RunErrorCode, string>> = {
  BINDING_FIELD_UNKNOWN:
    'Name a field of the body, a header of the request, or references that are together in its URL.',
  BINDING_NOT_FOUND: 'Add a field binding for the field, with a script if it combines them.',
  BINDING_TYPE_UNKNOWN: 'Set the type of the target to `request`, `path` or `header`.',
  COLOR_DUPLICATE: 'Give one of them another colour, and change the references to it.',
  COLOR_INVALID: 'Write it as `#` and six hexadecimal digits.',
  CONNECTOR_NOT_FOUND: 'Choose a connector for the step.',
  CREDENTIALS_NEED_CONFIRMATION:
    'Open the connector: it lists the fields and the origins. If they are correct, enter the values again or confirm them with the master password ([connectors](connectors.md#changes-of-address-or-visibility)).',
  CREDENTIALS_NOT_COMPUTED:
    'Check the connector (`POST /connector/check`); the message names the operation or expression of the invoker that returns no value.',
  EXPRESSION_BAD_PATTERN:
    'Correct the expression, or make it smaller: [limits](limits.md) lists the maximum size.',
  EXPRESSION_DIVISION_BY_ZERO: 'Check with an `if` whether the right side is 0.',
  EXPRESSION_NOT_BOOLEAN: 'Compare the value with something: `= true`, `NotNull`.',
  EXPRESSION_NUMBER_TOO_LARGE: 'Use whole numbers, or smaller ones; a script can use `BigInt`.',
  EXPRESSION_SYNTAX:
    'Correct the expression at the position in the message: [operators](workflows.md#operators).',
  EXPRESSION_TYPE_MISMATCH:
    'Look up the referenced value in the log of a test run, and refer to the right part of it.',
  HTTP_STATUS_ERROR:
    'Read the response in a test run. If a later step refers to `(response).status` or `fail`, the failure becomes a value and the run continues.',
  INDEX_DUPLICATE: 'Give each step an index of its own.',
  INDEX_INVALID: 'Write it as `0`, `0_1`, `0_1_0`.',
  INVOKER_NOT_FOUND: 'Import the invoker again, or choose another one for the connector.',
  ITERATOR_INVALID: 'Use letters, digits and `_`, and different names for nested loops.',
  ITERATOR_UNKNOWN: 'Move the step into the loop, or use the variable of a surrounding loop.',
  JUMP_NOT_AVAILABLE: 'Remove `jump` from the step.',
  LOOP_TOO_LONG: 'Request less data at a time: [limits](limits.md).',
  METHOD_HAS_CHILDREN: 'Move it after the method, or into an `if` or a loop.',
  METHOD_TYPE_UNKNOWN: 'Choose one of the [types](workflows.md#methods).',
  OPERATION_FAILED:
    'Read the response in a test run; the [invoker](invokers.md) defines what a failure is.',
  OPERATION_NOT_FOUND: 'Choose an operation of the invoker; its name is case-sensitive.',
  OPERATOR_EXPRESSION_IS_EMPTY: 'Enter the condition, or the list that the loop iterates over.',
  OPERATOR_TYPE_UNKNOWN: 'Choose `if` or `loop`.',
  OUTBOUND_ADDRESS_REFUSED:
    'Check the host. An operator can [allow](operations.md#outbound-connections) addresses in `outbound.deny`; some addresses are never called.',
  OUTBOUND_BAD_REQUEST:
    'Correct the HTTP method and the names of headers in the operation that computes a value of the connector.',
  OUTBOUND_BAD_RESPONSE:
    'Contact the operator of the remote system, or of the proxy in front of it.',
  OUTBOUND_BAD_URL:
    'Write the URL with `http://` or `https://`; if it begins with a reference, check the value of the reference.',
  OUTBOUND_CONNECTION_FAILED:
    'Check host and port, and whether the remote system is running. `retries` of the step repeat the call.',
  OUTBOUND_REDIRECT_REFUSED: 'Call the target of the redirect directly.',
  OUTBOUND_TIMEOUT:
    'Raise the timeout that the message names (of the step, its connector, or `step.timeout`), or request less data at a time.',
  OUTBOUND_TLS_FAILED:
    'Renew the certificate of the remote system, or have an operator trust its issuer (`NODE_EXTRA_CA_CERTS`). A system that requires a client certificate cannot be called; let it accept another kind of authentication.',
  OUTBOUND_TOO_LARGE:
    'Request less data at a time, or have the setting in the message raised: `outbound.max-response-bytes`, `outbound.max-header-bytes` (headers) or `run.memory`.',
  OUTBOUND_TOO_MANY_REDIRECTS:
    'Call the final address directly, or have `outbound.max-redirects` raised.',
  PAGES_REPEAT:
    'Make the [pagination](invokers.md#pages) of the operation write the value that it reads or increments into the next request.',
  PAGE_WITHOUT_LIST:
    'Correct the place of the items in the [pagination](invokers.md#pages) of the operation.',
  REFERENCE_EMPTY:
    'The message names the reference, and the names that are there. Correct the reference, or set `required` of the step to false.',
  REFERENCE_SYNTAX:
    'Correct the reference at the position in the message: [references](workflows.md#references).',
  REQUEST_BODY_INVALID:
    'Read the message: a form needs fields with names, a body in XML needs a single root.',
  REQUEST_BODY_TOO_LARGE:
    'Send less data at a time, or have `run.memory` raised: a request may have a quarter of it.',
  REQUEST_HEADER_INVALID: 'Correct the name, or make the value a text.',
  REQUEST_HEADER_UNSAFE:
    'Refer to a value without line breaks, or remove such characters with a script.',
  REQUEST_METHOD_INVALID: 'Choose GET, POST, PUT, PATCH, DELETE, HEAD or OPTIONS.',
  REQUEST_URL_IS_EMPTY: 'Enter the URL; if it is a reference, check the value of the reference.',
  REQUEST_URL_UNSAFE:
    'Check the value in a test run: a part of a host, or `.` or `..` in a path, comes from unexpected data.',
  RESPONSE_ENCODING_UNKNOWN:
    'Configure the remote system to send gzip, deflate, br or no encoding.',
  RESPONSE_NOT_JSON: 'Set `responseType` of the request to `text` to read the response as text.',
  RESPONSE_NOT_XML:
    'Refer to the whole response, which is a text, or have the remote system send XML without a DOCTYPE.',
  RESPONSE_NUMBER_TOO_LARGE:
    'Set `responseType` of the request to `text` to read the response as text.',
  RUN_CRASHED:
    'Start it again. If it happens twice, give the log of the service to an operator; often the machine has no memory left.',
  RUN_EVENTS_REFUSED:
    'Have an operator check the log: the store may be full or unavailable. Then start it again.',
  RUN_FAULT: 'Have an operator find the id of the run in the log, and report the fault.',
  RUN_INTERRUPTED:
    'Look at the step that the error names and at what was already done, and start it again.',
  RUN_JOURNAL_UNFIT:
    'Look at what the run has done. Restore what it used, such as a deleted connector or secret, and retry it.',
  RUN_OUT_OF_MEMORY:
    'Request less data at a time, refer to less of it later, or have `run.memory` raised.',
  RUN_STALLED: 'Apply patterns to a part of the text, simplify them, or have `run.stall` raised.',
  RUN_TIMEOUT: 'Do less in one run, or have `run.timeout` raised.',
  RUN_TOO_DEEP: 'Find the workflow that starts itself, directly or through other workflows.',
  RUN_TOO_LARGE:
    'Run it without logging, make names and conditions shorter, or have `run.max-stored-bytes` raised; one event has 8 MiB at most.',
  RUN_TOO_MANY_EVENTS: 'Loop over less in one run, or have `run.max-events` raised.',
  RUN_TOO_MANY_TURNS: 'Loop over less in one run, or have `run.max-turns` raised.',
  SAMPLE_MISSING: 'Pin or type an answer with an entry in the list: [samples](samples.md).',
  SCRIPT_ENGINE_FAILED: 'Have an operator check the log of the polyglot engine.',
  SCRIPT_ENGINE_OFF:
    'Write the script in JavaScript, or have an operator switch the [engine](operations.md#the-polyglot-engine) on.',
  SCRIPT_ENGINE_UNREACHABLE:
    'Have an operator check whether the [engine](operations.md#the-polyglot-engine) is running.',
  SCRIPT_ERROR: 'Correct the script in the line that the message names.',
  SCRIPT_LANGUAGE_UNKNOWN: 'Choose JavaScript, or Python or Ruby with a polyglot engine.',
  SCRIPT_OUT_OF_MEMORY: 'Give the script less data, or have `script.memory` raised.',
  SCRIPT_RESULT_INVALID:
    'Leave text, a number, true, false, null, or a list or object of them in `RESULT_VAR`.',
  SCRIPT_TIMEOUT: 'Reduce the work of the script, or have `script.timeout` raised.',
  SECRET_NOT_ALLOWED_HERE:
    'Use it after the host of the URL, in the value of a header or in a value of the body.',
  SECRET_NOT_FOUND: 'Add the [secret](workflows.md#named-secrets), or correct its name.',
  SECRET_ORIGIN_REFUSED:
    'Call an origin of the secret. If it may be sent there, add the origin to the [secret](workflows.md#named-secrets), or to the connector as a public field.',
  STEP_SETTING_INVALID:
    'Write whole numbers: `timeout` up to 3,600,000, `retries` up to 10, `backoff` up to 60,000.',
  VALUE_TOO_LARGE: 'Refer to the needed part, or to less of it.',
  WEBHOOK_NOT_FOUND:
    'Copy the current URL of the webhook from its schedule: it was revoked, or the user who created it was deleted or disabled.',
  WEBHOOK_PARAMETER_INVALID: 'Send a value of the type in `${name:type}`.',
};

/** Returns what to do about an error as plain text; null for codes of other versions. */
export function remedyOf(code: string): string | null {
  const remedies: Readonly<Record<string, string | undefined>> = RUN_ERROR_REMEDIES;
  return remedies[code]?.replaceAll(/\[([^[\]]+)\]\([^)]+\)/g, '$1') ?? null;
}

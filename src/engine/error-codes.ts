/** Error codes of the engine with their meanings. */
export const ENGINE_ERROR_CODES = {
  BINDING_FIELD_UNKNOWN:
    'A field binding with a script writes to a field that the request of its step does not have.',
  BINDING_NOT_FOUND: 'A body field combines several references, and no field binding defines how.',
  BINDING_TYPE_UNKNOWN:
    'A field binding with a script writes to something other than a body field, path or header.',
  COLOR_DUPLICATE: 'Two methods have the same colour, so that references to them are ambiguous.',
  COLOR_INVALID: 'The colour of a method does not have the form #RRGGBB.',
  CONNECTOR_NOT_FOUND: 'The step has no connector, or its connector was deleted.',
  CREDENTIALS_NEED_CONFIRMATION:
    'A stored value of the connector would be sent to an origin it was not entered for.',
  CREDENTIALS_NOT_COMPUTED:
    'A value of the connector that an operation of its invoker returns could not be fetched.',
  EXPRESSION_BAD_PATTERN: 'A regular expression does not parse, or is too large.',
  EXPRESSION_DIVISION_BY_ZERO: 'The right side of a division is 0.',
  EXPRESSION_NOT_BOOLEAN: 'The expression of an `if` is neither true nor false.',
  EXPRESSION_NUMBER_TOO_LARGE: 'Arithmetic with a number beyond 2^53 would round it.',
  EXPRESSION_SYNTAX: 'An expression does not parse; the message says where.',
  EXPRESSION_TYPE_MISMATCH: 'An operator or a loop got a value of a type that it does not accept.',
  HTTP_STATUS_ERROR: 'The remote system responded with an error status.',
  INDEX_DUPLICATE: 'Two steps have the same index.',
  INDEX_INVALID: 'An index does not consist of numbers joined with `_`.',
  INVOKER_NOT_FOUND: 'The invoker of the connector was deleted.',
  ITERATOR_INVALID: 'The name of a loop variable is not valid, or an outer loop uses it.',
  ITERATOR_UNKNOWN: 'A step refers to a loop variable, but no loop around the step has it.',
  JUMP_NOT_AVAILABLE:
    'The step defines where the run continues after it, which is not supported yet.',
  LOOP_TOO_LONG: 'A loop has more iterations than allowed.',
  METHOD_HAS_CHILDREN: 'According to its index, a step is inside a method.',
  METHOD_TYPE_UNKNOWN: 'The type of a method is not supported.',
  OPERATOR_EXPRESSION_IS_EMPTY: 'An operator has no expression.',
  OPERATOR_TYPE_UNKNOWN: 'An operator is neither an `if` nor a `loop`.',
  OPERATION_FAILED: 'The invoker defines the response as a failure of the operation.',
  OPERATION_NOT_FOUND: 'The invoker of the connector has no operation with the name of the step.',
  PAGES_REPEAT:
    'The pages of an operation do not end: the request for the next page equals the last one.',
  PAGE_WITHOUT_LIST: 'A page has no list at the path that the operation defines for its items.',
  REFERENCE_EMPTY:
    'A step that demands its values refers to something that is not there, or is null.',
  REFERENCE_SYNTAX: 'A reference does not parse; the message says where.',
  REQUEST_BODY_INVALID: 'The body of the request cannot be written in its format.',
  REQUEST_BODY_TOO_LARGE: 'The body of the request is larger than allowed.',
  REQUEST_HEADER_INVALID:
    'A header of the request has an invalid name, or a value that is not text.',
  REQUEST_HEADER_UNSAFE:
    'The value of a header contains a line break or another control character.',
  REQUEST_METHOD_INVALID: 'The HTTP method of the request is not supported.',
  REQUEST_URL_IS_EMPTY: 'The request has no URL.',
  REQUEST_URL_UNSAFE: 'A value would change the host of the URL or leave its path.',
  RESPONSE_ENCODING_UNKNOWN: 'The response is compressed in an unknown way.',
  RESPONSE_NOT_JSON: 'The response is declared as JSON but is not.',
  RESPONSE_NOT_XML: 'The response is declared as XML but is not, and a step reads it.',
  RESPONSE_NUMBER_TOO_LARGE: 'The response contains a number that would be rounded.',
  RUN_EVENTS_REFUSED: 'The events of the run could not be stored.',
  RUN_FAULT: 'An internal error; see the log of the service.',
  RUN_JOURNAL_UNFIT:
    'The run cannot go on: what earlier processes have kept of it does not fit its steps any more.',
  RUN_OUT_OF_MEMORY:
    'The run needed more memory than allowed, in total or for the responses that later steps read.',
  RUN_TIMEOUT: 'The run took longer than allowed.',
  RUN_TOO_LARGE: 'The events of the run, or a single one, are larger than allowed.',
  RUN_TOO_MANY_EVENTS: 'The run has more events than allowed.',
  RUN_TOO_MANY_TURNS: 'The loops of the run have more iterations in total than allowed.',
  SAMPLE_MISSING: 'A single step is tested in a loop whose list is empty in the samples.',
  SECRET_NOT_ALLOWED_HERE: 'A named secret is used where none is allowed.',
  SECRET_NOT_FOUND: 'The step uses a named secret that does not exist.',
  SECRET_ORIGIN_REFUSED:
    'A named secret, or a value of a connector that is not public, would be sent to an origin it does not belong to, even if it was returned in a response.',
  STEP_SETTING_INVALID:
    'The timeout, retries, back-off or success statuses of a step are not allowed values.',
  VALUE_TOO_LARGE: 'A value is nested too deeply or too long to be processed.',
  WEBHOOK_NOT_FOUND: 'The webhook that the step calls does not exist.',
  WEBHOOK_PARAMETER_INVALID:
    'A parameter of the webhook that started the run does not have the type that the workflow declares.',
} as const;

export type EngineErrorCode = keyof typeof ENGINE_ERROR_CODES;

/** Error codes of ports. */
export type PortErrorCode = `OUTBOUND_${string}` | `SCRIPT_${string}`;

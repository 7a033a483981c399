/** Error codes of the engine with their meanings. */
export const ENGINE_ERROR_CODES = {
  BINDING_FIELD_UNKNOWN:
    'A field binding with a script writes to a place that the request of its step does not have.',
  BINDING_NOT_FOUND: 'A body field combines several references, and no field binding says how.',
  BINDING_TYPE_UNKNOWN:
    'A field binding with a script writes to something that is no body field, path or header.',
  COLOR_DUPLICATE: 'Two methods have the same colour, so a reference cannot tell them apart.',
  COLOR_INVALID: 'The colour of a method is not of the form #RRGGBB.',
  CONNECTOR_NOT_FOUND: 'The step calls no connector, or one that is not there any more.',
  CREDENTIALS_NEED_CONFIRMATION:
    'A stored value of the connector would be sent to an origin it was not entered for.',
  CREDENTIALS_NOT_COMPUTED:
    'A value of the connector, which an operation of its invoker gives, could not be had.',
  EXPRESSION_BAD_PATTERN: 'A regular expression does not parse, or is too large.',
  EXPRESSION_DIVISION_BY_ZERO: 'The right side of a division is 0.',
  EXPRESSION_NOT_BOOLEAN: 'The expression of an `if` is neither true nor false.',
  EXPRESSION_NUMBER_TOO_LARGE: 'Arithmetic with a number beyond 2^53 would round it.',
  EXPRESSION_SYNTAX: 'An expression does not parse; the message says where.',
  EXPRESSION_TYPE_MISMATCH: 'An operator or a loop met a value of a kind it does not take.',
  HTTP_STATUS_ERROR: 'The remote system answered with a status that is no success.',
  INDEX_DUPLICATE: 'Two steps have the same index.',
  INDEX_INVALID: 'An index is not numbers joined with `_`.',
  INVOKER_NOT_FOUND: 'The invoker of the connector is not there any more.',
  ITERATOR_INVALID: 'A loop variable has no possible name, or that of a loop around it.',
  ITERATOR_UNKNOWN: 'A step refers to a loop variable of no loop around it.',
  JUMP_NOT_AVAILABLE: 'The step says where the run goes on after it, which is not available yet.',
  LOOP_TOO_LONG: 'A loop has more turns than are allowed.',
  METHOD_HAS_CHILDREN: 'The index of a step puts it inside a method.',
  METHOD_TYPE_UNKNOWN: 'The type of a method is none that is executed.',
  OPERATOR_EXPRESSION_IS_EMPTY: 'An operator has no expression.',
  OPERATOR_TYPE_UNKNOWN: 'An operator is neither an `if` nor a `loop`.',
  OPERATION_FAILED: 'The answer is what the operation of the invoker calls a failure.',
  OPERATION_NOT_FOUND: 'The invoker of the connector has no operation of the name of the step.',
  PAGES_REPEAT:
    'The pages of an operation do not come to an end: the next one would be asked for as the last one was.',
  PAGE_WITHOUT_LIST:
    'A page has something else than a list where the operation says its items are.',
  REFERENCE_SYNTAX: 'A reference does not parse; the message says where.',
  REQUEST_BODY_INVALID: 'The body of the request cannot be written in its format.',
  REQUEST_BODY_TOO_LARGE: 'The body of the request is larger than is sent.',
  REQUEST_HEADER_INVALID:
    'A header of the request has an impossible name, or a value that is no text.',
  REQUEST_HEADER_UNSAFE: 'The value of a header holds a line break or another control character.',
  REQUEST_METHOD_INVALID: 'The HTTP method of the request is not supported.',
  REQUEST_URL_IS_EMPTY: 'The request has no URL.',
  REQUEST_URL_UNSAFE: 'A value would lead the URL to another host, or out of its path.',
  RESPONSE_ENCODING_UNKNOWN: 'The answer is packed in a way that is not known.',
  RESPONSE_NOT_JSON: 'The answer calls itself JSON and is not.',
  RESPONSE_NOT_XML: 'The answer calls itself XML and is not, and a part of it is read.',
  RESPONSE_NUMBER_TOO_LARGE: 'The answer holds a number that would be rounded or lost.',
  RUN_EVENTS_REFUSED: 'The events of the run could not be stored.',
  RUN_FAULT: 'A fault of the service; the log has it.',
  RUN_OUT_OF_MEMORY:
    'The run took more memory than it may: as a whole, or with the answers that later steps refer to.',
  RUN_TIMEOUT: 'The run took longer than it may.',
  RUN_TOO_LARGE: 'The events of the run, or one of them alone, are larger than is stored.',
  RUN_TOO_MANY_EVENTS: 'The run has more events than are allowed.',
  RUN_TOO_MANY_TURNS: 'The loops of the run have more turns together than are allowed.',
  SECRET_NOT_ALLOWED_HERE: 'A named secret stands in a place where none may stand.',
  SECRET_NOT_FOUND: 'The step uses a named secret that is not there.',
  SECRET_ORIGIN_REFUSED:
    'A named secret, or a value of a connector that is not public, would be sent to an origin that is none of its own, also one that came back in an answer.',
  STEP_SETTING_INVALID:
    'The time-out, the retries or the back-off of a step is no whole number that is allowed.',
  VALUE_TOO_LARGE: 'A value is nested too deeply or too long to be worked with.',
  WEBHOOK_NOT_FOUND: 'There is no webhook at the address of the step.',
  WEBHOOK_PARAMETER_INVALID:
    'A parameter of the webhook that started the run is not of the type that the workflow says.',
} as const;

export type EngineErrorCode = keyof typeof ENGINE_ERROR_CODES;

/** Error codes of ports. */
export type PortErrorCode = `OUTBOUND_${string}` | `SCRIPT_${string}`;

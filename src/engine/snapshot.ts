/**
 * The parts of a stored workflow (5.0 format) that the engine reads. Types are loose on purpose:
 * unknown fields are allowed, and the data is validated once, when the plan is built.
 */
export interface WorkflowSnapshot {
  readonly fromConnector: {
    readonly connectorId?: number | string | null;
    readonly methods: readonly MethodDoc[];
    readonly operators: readonly OperatorDoc[];
  };
  readonly fieldBinding?: readonly unknown[] | null;
}

/** A step that makes a call. References identify it by `color` (`#RRGGBB`). */
export interface MethodDoc {
  readonly id?: string | null;
  readonly index?: string | null;
  readonly name?: string | null;
  readonly label?: string | null;
  readonly color?: string | null;
  /** CONNECTOR, HTTP_REQUEST, WEBHOOK, or null in legacy data. */
  readonly methodType?: string | null;
  readonly connector?: ConnectorDoc | null;
  readonly request?: RequestDoc | null;
  /** Timeout including retries, ms; 0 or missing: that of the connector or the configuration. */
  readonly timeout?: string | null;
  /** Number of retries; missing: the configured number for idempotent methods. */
  readonly retries?: string | null;
  /** First delay between attempts, ms. */
  readonly backoff?: string | null;
  /** Id of the aggregator for its calls; 0 or missing: none. */
  readonly dataAggregator?: string | null;
  /** True: the step ends with REFERENCE_EMPTY if one of its references is null. */
  readonly required?: unknown;
  /**
   * True: what the step sends may be sent again if it is not known whether it arrived, whatever its
   * HTTP method.
   */
  readonly repeatable?: unknown;
  /** Statuses that count as success, such as `200-299, 404`. Missing: those below 400. */
  readonly successStatus?: string | null;
  /** False: the step is skipped. */
  readonly enabled?: unknown;
  /** Name of the files in a form-data body; may contain references. Missing: they keep theirs. */
  readonly fileName?: string | null;
  /** Jump target after the step; not supported, a value other than null ends the run. */
  readonly jump?: unknown;
}

/** Connector of a step. In a template, its id is meaningless and `invoker` names it. */
export interface ConnectorDoc {
  readonly connectorId?: number | string | null;
  readonly invoker?: unknown;
}

export interface RequestDoc {
  readonly endpoint?: string | null;
  readonly method?: string | null;
  readonly header?: Readonly<Record<string, unknown>> | null;
  readonly body?: BodyDoc | null;
  /** `text`: treat any response as text. */
  readonly responseType?: string | null;
}

export interface BodyDoc {
  /** object, array or string. */
  readonly type?: string | null;
  /** json, xml, text, x-www-form-urlencoded; anything else is JSON. */
  readonly format?: string | null;
  /** raw, graphql, ... */
  readonly data?: string | null;
  readonly fields?: unknown;
}

/** A condition (`if`) or loop. */
export interface OperatorDoc {
  readonly id?: string | null;
  readonly index?: string | null;
  readonly type?: string | null;
  readonly expression?: string | null;
  readonly iterator?: string | null;
  /** False: it is skipped with everything in it. */
  readonly enabled?: unknown;
  /** 4.x format; used only without an expression. */
  readonly condition?: unknown;
}

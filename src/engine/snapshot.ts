/**
 * The workflow as it is stored (5.0 shape), as far as the engine reads it. Everything is optional and loosely typed on purpose: a snapshot is data
 * that somebody saved, fields the engine does not know are welcome, and what it needs is checked once, when the plan is made.
 */
export interface WorkflowSnapshot {
  readonly fromConnector: {
    readonly connectorId?: number | string | null;
    readonly methods: readonly MethodDoc[];
    readonly operators: readonly OperatorDoc[];
  };
  readonly fieldBinding?: readonly unknown[] | null;
}

/** A step that calls something. `color` (`#RRGGBB`) is its identity in references. */
export interface MethodDoc {
  readonly id?: string | null;
  readonly index?: string | null;
  readonly name?: string | null;
  readonly label?: string | null;
  readonly color?: string | null;
  /** CONNECTOR, HTTP_REQUEST, WEBHOOK or null (legacy data). */
  readonly methodType?: string | null;
  readonly connector?: ConnectorDoc | null;
  readonly request?: RequestDoc | null;
  /** Longest it may take with all its tries, ms; 0 or none: what its connector says, or the configuration. */
  readonly timeout?: string | null;
  /** How often it is tried again; none: as often as the configuration says where its verb may be repeated. */
  readonly retries?: string | null;
  /** The first pause between tries, ms. */
  readonly backoff?: string | null;
  /** Id of the aggregator that is evaluated over its calls; 0 or none: no one. */
  readonly dataAggregator?: string | null;
  /** Where the run goes on after it; anything but null ends it for now. */
  readonly jump?: unknown;
}

/** The connector a step calls. In a template its id means nothing and the invoker names it. */
export interface ConnectorDoc {
  readonly connectorId?: number | string | null;
  readonly invoker?: unknown;
}

export interface RequestDoc {
  readonly endpoint?: string | null;
  readonly method?: string | null;
  readonly header?: Readonly<Record<string, unknown>> | null;
  readonly body?: BodyDoc | null;
  /** `text` takes any answer as text. */
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

/** A step that decides (`if`) or repeats (`loop`). */
export interface OperatorDoc {
  readonly id?: string | null;
  readonly index?: string | null;
  readonly type?: string | null;
  readonly expression?: string | null;
  readonly iterator?: string | null;
  /** The 4.x form; read only when there is no expression. */
  readonly condition?: unknown;
}

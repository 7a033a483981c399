import type { CallCount } from '../outbound/observed-calls';
/** The API that a request belongs to. `other`: pages, `/metrics`, and paths that do not exist. */
export type Api = 'rest' | 'graphql' | 'websocket' | 'other';

/** Operation of requests that have none of the known ones. */
export const OTHER_OPERATION = 'other';

export interface EndedRun {
  readonly state: string;
  readonly trigger: string;
  readonly steps: number;
  /** Duration; null if it never began. */
  readonly seconds: number | null;
  /** Time in the queue; null if it never began. */
  readonly waitSeconds: number | null;
}

/** One value of a gauge. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Values that are read when metrics are requested. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /** `counter` for values that only grow. Default: `gauge`. */
  readonly type?: 'gauge' | 'counter';
  /** Missing samples are not shown. */
  read(): readonly Sample[] | Promise<readonly Sample[]>;
}

/** Counts what the service does. Names and labels: `docs/monitoring.md`. */
export interface Metrics {
  /** @param operation from a bounded set, such as the routes of the service */
  requestEnded(api: Api, operation: string, seconds: number): void;
  errorSent(api: Api, code: string): void;
  callsEnded(calls: readonly CallCount[]): void;
  runEnded(run: EndedRun): void;
  addGauge(gauge: Gauge): void;
  /** Returns all metrics in the text format of Prometheus. */
  write(): Promise<{ readonly type: string; readonly body: string }>;
  close(): void;
}

/** For a service without `/metrics`: counts nothing. */
export const NO_METRICS: Metrics = {
  requestEnded: () => undefined,
  errorSent: () => undefined,
  callsEnded: () => undefined,
  runEnded: () => undefined,
  addGauge: () => undefined,
  write: () => Promise.resolve({ type: 'text/plain', body: '' }),
  close: () => undefined,
};

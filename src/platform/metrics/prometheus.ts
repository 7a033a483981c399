import type { Counter, Gauge as PromGauge, Registry } from 'prom-client';
import type { Logger } from '../log/logger';
import type { CallCount } from '../outbound/observed-calls';
import type { Api, EndedRun, Gauge, Metrics, Sample } from './metrics';

/**
 * Default gauges that are named like counters. They are the sums of gauges without the suffix, by
 * type.
 */
const MISNAMED = ['handles', 'requests', 'resources'].map((kind) => `nodejs_active_${kind}_total`);

/** Loaded only if metrics are enabled. */
const promClient = () => require('prom-client') as typeof import('prom-client');

/** Upper bounds, seconds. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const RUN_BUCKETS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600];
/** Time for reading one gauge: a store that does not respond must not hold up all other metrics. */
const READ_MS = 3_000;

type Counted = ReturnType<typeof createCounted>;

function createCounted(registers: Registry[]) {
  const { Counter, Histogram } = promClient();
  return {
    requests: new Histogram({
      name: 'hypha_request_duration_seconds',
      help: 'Duration of requests, by API and operation.',
      labelNames: ['interface', 'operation'],
      buckets: REQUEST_BUCKETS,
      registers,
    }),
    errors: new Counter({
      name: 'hypha_errors_total',
      help: 'Errors sent to clients, by API and code.',
      labelNames: ['interface', 'code'],
      registers,
    }),
    calls: new Counter({
      name: 'hypha_outbound_calls_total',
      help: 'Outgoing HTTP calls of runs and of the service, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    callSeconds: new Counter({
      name: 'hypha_outbound_call_seconds_total',
      help: 'Total duration of outgoing HTTP calls, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    runs: new Counter({
      name: 'hypha_runs_ended_total',
      help: 'Runs that this process has ended, by final state and trigger.',
      labelNames: ['state', 'trigger'],
      registers,
    }),
    runSeconds: new Histogram({
      name: 'hypha_run_duration_seconds',
      help: 'Duration of runs from start to end.',
      buckets: RUN_BUCKETS,
      registers,
    }),
    waitSeconds: new Histogram({
      name: 'hypha_run_wait_seconds',
      help: 'Time that runs were queued before they began.',
      buckets: RUN_BUCKETS,
      registers,
    }),
    steps: new Counter({
      name: 'hypha_run_steps_total',
      help: 'Steps of ended runs.',
      registers,
    }),
    unread: new Counter({
      name: 'hypha_metrics_unread_total',
      help: 'Metrics that could not be read, by name.',
      labelNames: ['metric'],
      registers,
    }),
  };
}

/** Metrics in the format of Prometheus, with those of the process and of Node. */
export class PrometheusMetrics implements Metrics {
  private readonly registry: Registry;
  private readonly counted: Counted;

  constructor(private readonly log: Pick<Logger, 'warn'>) {
    const { Registry, collectDefaultMetrics } = promClient();
    this.registry = new Registry();
    collectDefaultMetrics({ register: this.registry });
    for (const name of MISNAMED) this.registry.removeSingleMetric(name);
    this.counted = createCounted([this.registry]);
  }

  requestEnded(api: Api, operation: string, seconds: number): void {
    this.counted.requests.observe({ interface: api, operation }, seconds);
  }

  errorSent(api: Api, code: string): void {
    this.counted.errors.inc({ interface: api, code });
  }

  callsEnded(calls: readonly CallCount[]): void {
    for (const { outcome, count, seconds } of calls) {
      this.counted.calls.inc({ outcome }, count);
      this.counted.callSeconds.inc({ outcome }, seconds);
    }
  }

  runEnded({ state, trigger, steps, seconds, waitSeconds }: EndedRun): void {
    const { counted } = this;
    counted.runs.inc({ state, trigger });
    counted.steps.inc(steps);
    if (seconds !== null) counted.runSeconds.observe(seconds);
    if (waitSeconds !== null) counted.waitSeconds.observe(waitSeconds);
  }

  addGauge(gauge: Gauge): void {
    const { name, help, labels = [], type = 'gauge' } = gauge;
    const { Counter, Gauge: ValueGauge } = promClient();
    // One read serves all requests that arrive while it runs.
    let reading: Promise<void> | null = null;
    const read = (metric: Counter | PromGauge): Promise<void> =>
      (reading ??= this.read(gauge, metric).finally(() => {
        reading = null;
      }));
    const options = { name, help, labelNames: [...labels], registers: [this.registry] };
    if (type === 'counter')
      new Counter({
        ...options,
        collect() {
          return read(this);
        },
      });
    else
      new ValueGauge({
        ...options,
        collect() {
          return read(this);
        },
      });
  }

  async write(): Promise<{ type: string; body: string }> {
    return { type: this.registry.contentType, body: await this.registry.metrics() };
  }

  close(): void {
    this.registry.clear();
  }

  /** A metric that cannot be read is left out; the others are still shown. */
  private async read(gauge: Gauge, metric: Counter | PromGauge): Promise<void> {
    metric.reset();
    try {
      for (const { labels = {}, value } of await withinReadTime(gauge.read()))
        metric.inc({ ...labels }, value);
    } catch (error) {
      this.counted.unread.inc({ metric: gauge.name });
      this.log.warn({ err: error, metric: gauge.name }, 'A metric could not be read.');
    }
  }
}

async function withinReadTime(
  samples: readonly Sample[] | Promise<readonly Sample[]>,
): Promise<readonly Sample[]> {
  if (!(samples instanceof Promise)) return samples;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No value within ${READ_MS} ms.`)), READ_MS);
  });
  return Promise.race([samples, late]).finally(() => clearTimeout(timer));
}

import { readFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import type { Clock } from '../../platform/clock/clock';
import { readDiskSpace } from '../../platform/files/disk-space';
import { resolvedAfter } from '../../platform/store/lists/live-list';
import type { RunEventLog } from '../runs/events/run-event-log';
import type { RunCounters } from './run-counters.service';

declare module '../../platform/context' {
  interface Services {
    systemMetrics: SystemMetrics;
  }
}

/** Figures of the service and its machine at one moment. */
export interface SystemSample {
  readonly at: Date;
  /** Of all runs that ever ended, without tests. */
  readonly executions: number;
  readonly failures: number;
  readonly executionsMs: number;
  /** Null if the store did not tell it in time. */
  readonly logBytes: number | null;
  /** Percent of all processors, of all processes of the machine. */
  readonly cpuPercent: number;
  /** Of this process. */
  readonly memoryBytes: number;
  /** That this process may use. */
  readonly maxMemoryBytes: number;
  /** Percent of the disk of the data directory. */
  readonly diskPercent: number;
  /** Sent and received by the machine; null where the system does not tell it. */
  readonly networkBytesPerSecond: number | null;
}

/** Interval of the samples, ms. */
const SAMPLE_MS = 5_000;
/** The size of the logs changes slowly, and reading it takes the store long, ms. */
const LOG_SIZE_MS = 60_000;

interface CpuTimes {
  readonly idle: number;
  readonly all: number;
}

function readCpuTimes(): CpuTimes {
  const times = cpus().map((cpu) => cpu.times);
  return {
    idle: times.reduce((sum, { idle }) => sum + idle, 0),
    all: times.reduce(
      (sum, { idle, user, nice, sys, irq }) => sum + idle + user + nice + sys + irq,
      0,
    ),
  };
}

/** Bytes of all interfaces except the loopback; null on systems other than Linux. */
async function readNetworkBytes(): Promise<number | null> {
  const text = await readFile('/proc/net/dev', 'utf8').catch(() => null);
  if (text === null) return null;
  return text
    .split('\n')
    .flatMap((line) => /^\s*(?!lo:)\S+:\s*(\d+)(?:\s+\d+){7}\s+(\d+)/.exec(line) ?? [])
    .reduce((sum, field, at) => (at % 3 === 0 ? sum : sum + Number(field)), 0);
}

/** Memory limit of the container, or the memory of the machine. */
function readMaxMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? limit : totalmem();
}

/** Samples of the figures that dashboards of the released clients show. All readers share them. */
export class SystemMetrics {
  private sample: { readonly takenAt: number; readonly value: Promise<SystemSample> } | null = null;
  private logSize: { readonly readAt: number; readonly bytes: Promise<number | null> } | null =
    null;
  private cpu: CpuTimes = { idle: 0, all: 0 };
  private network: { readonly at: number; readonly bytes: number } | null = null;

  constructor(
    private readonly deps: {
      readonly clock: Clock;
      readonly counters: Pick<RunCounters, 'totals'>;
      readonly events: Pick<RunEventLog, 'readSize'>;
      readonly dataDir: string;
    },
  ) {}

  /** A sample at once, and then periodically, until the signal aborts. */
  async *follow(signal: AbortSignal): AsyncGenerator<SystemSample, void, undefined> {
    while (!signal.aborted) {
      yield await this.current();
      await resolvedAfter(signal, SAMPLE_MS);
    }
  }

  private current(): Promise<SystemSample> {
    const now = performance.now();
    if (this.sample !== null && now - this.sample.takenAt < SAMPLE_MS) return this.sample.value;
    const sample = this.take();
    this.sample = { takenAt: now, value: sample };
    sample.catch(() => {
      if (this.sample?.value === sample) this.sample = null;
    });
    return sample;
  }

  private async take(): Promise<SystemSample> {
    const { clock, counters, dataDir } = this.deps;
    const [totals, { freeBytes, totalBytes }, logBytes, networkBytesPerSecond] = await Promise.all([
      counters.totals(),
      readDiskSpace(dataDir),
      this.readLogSize(),
      this.readNetwork(),
    ]);
    return {
      at: clock.now(),
      ...totals,
      logBytes,
      cpuPercent: this.readCpu(),
      memoryBytes: process.memoryUsage.rss(),
      maxMemoryBytes: readMaxMemory(),
      diskPercent: totalBytes === 0 ? 0 : 100 * (1 - freeBytes / totalBytes),
      networkBytesPerSecond,
    };
  }

  private readLogSize(): Promise<number | null> {
    const now = performance.now();
    if (this.logSize === null || now - this.logSize.readAt > LOG_SIZE_MS)
      this.logSize = { readAt: now, bytes: this.deps.events.readSize() };
    return this.logSize.bytes;
  }

  /** Since the last sample; the first is since the start of the machine. */
  private readCpu(): number {
    const [before, now] = [this.cpu, readCpuTimes()];
    this.cpu = now;
    const all = now.all - before.all;
    return all <= 0 ? 0 : 100 * (1 - (now.idle - before.idle) / all);
  }

  private async readNetwork(): Promise<number | null> {
    const [before, bytes, at] = [this.network, await readNetworkBytes(), performance.now()];
    if (bytes === null) return null;
    this.network = { at, bytes };
    return before === null || at <= before.at
      ? 0
      : Math.max(0, (1_000 * (bytes - before.bytes)) / (at - before.at));
  }
}

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import type { Config } from '../../../config/config';
import { DEFAULT_LIMITS } from '../../../engine';
import type { HttpPort } from '../../../engine';
import type { Clock } from '../../../platform/clock/clock';
import type { Logger } from '../../../platform/log/logger';
import type { Metrics } from '../../../platform/metrics/metrics';
import type { Outbound } from '../../../platform/outbound';
import { createScripts } from '../../../platform/scripts';
import type { Scripts, ScriptsConfig } from '../../../platform/scripts';
import { LaunchedEngine } from '../../../platform/scripts/launch-engine';
import type { Tracing } from '../../../platform/tracing/tracing';
import { LEASE_TIMES } from '../leases/run-leases';
import { EventBatches } from './event-batches';
import { executeTask } from './execute-task';
import { JournalBatches } from './journal-batches';
import { MarkingGate } from './outgoing-calls';
import { PooledEngine } from './pool/pooled-engine';
import type { ExecutionLimits, RunEngine, RunSeat, Supervision } from './run-engine';
import { tracedEngine } from './traced-engine';

/**
 * Share of run memory for one body: a response is held as bytes, text and value before it is used.
 */
const OF_ONE_BODY = 1 / 4;
/** Share for what later steps may read, in bytes; as values it takes more. */
const OF_ALL_KEPT = 1 / 2;

/** Share for aggregator input: text that is copied into the sandbox. */
const OF_ALL_COLLECTED = 1 / 16;

/** Share for a script; its memory adds to that of the run. */
const OF_A_SCRIPT = 1 / 2;

/** Byte limits apply before parsing, so that a run reaches them before it runs out of memory. */
function executionLimits({
  memoryBytes,
  maxEvents,
  maxTurns,
  maxStoredBytes,
}: Config['runs']): ExecutionLimits {
  const part = (limit: number, share: number): number =>
    Math.min(limit, Math.floor(memoryBytes * share));
  return {
    maxEvents,
    maxTurns,
    maxStoredBytes,
    maxKeptBytes: part(DEFAULT_LIMITS.maxKeptBytes, OF_ALL_KEPT),
    maxAggregatedBytes: part(DEFAULT_LIMITS.maxAggregatedBytes, OF_ALL_COLLECTED),
    maxRequestBytes: part(DEFAULT_LIMITS.maxRequestBytes, OF_ONE_BODY),
    maxResponseBytes: part(DEFAULT_LIMITS.maxResponseBytes, OF_ONE_BODY),
  };
}

/** Limits of the scripts of runs, and of those that are tried. */
export const scriptLimits = ({
  runs,
  scripts,
}: Pick<Config, 'runs' | 'scripts'>): ScriptsConfig => ({
  timeoutMs: scripts.timeoutMs,
  polyglot: scripts.polyglot && { host: scripts.polyglot.host, port: scripts.polyglot.port },
  polyglotKey: scripts.polyglotKey,
  memoryBytes: Math.min(scripts.memoryBytes, Math.floor(runs.memoryBytes * OF_A_SCRIPT)),
});

/** Relative to this file after compilation. */
const PROGRAM = join(__dirname, '../../../run-process.js');
const IDLE_MS = 30_000;
const BEATS_PER_STALL = 10;

interface EngineDependencies {
  readonly config: Pick<Config, 'runs' | 'outbound' | 'scripts' | 'workflow'>;
  /** HTTP client of the service, for in-process runs; children create their own. */
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'callsEnded'>;
  /** Null: runs are not traced. */
  readonly tracing: Tracing | null;
  /** The compiled program of a child, if it is not next to this file. */
  readonly program?: string;
  /** The compiled sandbox thread, for in-process runs in a process that is not compiled. */
  readonly sandbox?: string;
}

export function createEngine(deps: EngineDependencies): RunEngine {
  const engine = createUntracedEngine(deps);
  return deps.tracing === null ? engine : tracedEngine(engine, deps.tracing);
}

function createUntracedEngine({
  config,
  outbound,
  clock,
  metrics,
  program = PROGRAM,
  sandbox,
}: EngineDependencies): RunEngine {
  const { isolation, memoryBytes, stallMs } = config.runs;
  const limits = executionLimits(config.runs);
  const scripts = scriptLimits(config);
  if (isolation === 'none')
    return createInProcessEngine({
      http: outbound,
      scripts: createScripts(scripts, sandbox),
      clock,
      limits,
    });
  const most = config.workflow.concurrentRuns;
  return new PooledEngine({
    program,
    onCalls: (calls) => metrics.callsEnded(calls),
    most,
    idleMs: IDLE_MS,
    warm: Math.min(most, availableParallelism(), 2),
    settings: {
      limits,
      scripts,
      memoryBytes,
      stallMs,
      outbound: {
        ...config.outbound,
        maxResponseBytes: Math.min(
          config.outbound.maxResponseBytes,
          limits.maxResponseBytes ?? Infinity,
        ),
      },
      beatMs: Math.floor(stallMs / BEATS_PER_STALL),
      silenceMs: LEASE_TIMES.leaseMs,
    },
  });
}

/** Interval for checking whether this process holds the run again, ms. */
const LOOK_AGAIN_MS = 250;

/** Executes runs in the process of the service, which a run can block or crash. */
export function createInProcessEngine({
  http,
  scripts,
  clock,
  limits,
}: {
  http: HttpPort;
  scripts: Scripts;
  clock: Clock;
  limits: ExecutionLimits;
}): RunEngine {
  const seat: RunSeat = {
    execute(
      task,
      { signal, store, startWebhook, beforeFirstSend, isHeld, loadRules, keep, spans },
    ) {
      const journal =
        task.journal &&
        new JournalBatches(task.journal, (text, open) => {
          // If it is refused, the run waits until it is ended.
          void keep?.(text, open).then(
            () => journal?.acknowledge(),
            () => undefined,
          );
        });
      const batches = new EventBatches((rows) => {
        journal?.flush();
        void store(rows).then(
          () => batches.acknowledge(),
          (error: unknown) => batches.refuse(asError(error)),
        );
      });
      const gate = new MarkingGate(batches, beforeFirstSend, () =>
        isHeld() ? undefined : untilHeld(isHeld, signal),
      );
      return executeTask(task, batches, {
        http,
        scripts,
        clock,
        limits,
        signal,
        startWebhook,
        gate,
        loadRules,
        journal,
        spans,
      });
    },
    release: () => undefined,
  };
  return {
    reserve: () => Promise.resolve(seat),
    startState: () => 'It begins in a moment.',
    waitingRuns: () => Infinity,
    warm: () => undefined,
    close: async () => scripts.close(),
  };
}

async function untilHeld(isHeld: Supervision['isHeld'], signal: AbortSignal): Promise<void> {
  while (!isHeld()) await pause(LOOK_AGAIN_MS, undefined, { signal });
}

const asError = (error: unknown): Error =>
  isNativeError(error) ? error : new Error(String(error));

const LOG_FILE = 'logs/polyglot.log';

/** Starts the polyglot engine if the configuration asks for it, otherwise returns null. */
export function startPolyglot(
  { scripts, data }: Pick<Config, 'scripts' | 'data'>,
  log: Logger,
): LaunchedEngine | null {
  const launch = scripts.polyglot?.launch ?? null;
  if (scripts.polyglot === null || launch === null) return null;
  const { isLogged, ...command } = launch;
  return new LaunchedEngine(
    scripts.polyglot,
    { ...command, logFile: isLogged ? join(data.dir, LOG_FILE) : null },
    log,
  );
}

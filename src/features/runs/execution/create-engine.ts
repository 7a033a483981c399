import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../../config/config';
import type { Clock } from '../../../platform/clock/clock';
import type { Outbound } from '../../../platform/outbound';
import { createScripts } from '../../../platform/scripts';
import { LEASE_TIMES } from '../run-owners';
import { createInProcessEngine } from './in-process-engine';
import { createPooledEngine } from './pool/pooled-engine';
import type { ExecutionLimits, RunEngine } from './run-engine';
import { DEFAULT_LIMITS } from '../../../engine';
import type { ScriptsConfig } from '../../../platform/scripts';

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

const scriptLimits = ({ runs, scripts }: Pick<Config, 'runs' | 'scripts'>): ScriptsConfig => ({
  timeoutMs: scripts.timeoutMs,
  polyglot: scripts.polyglot && { host: scripts.polyglot.host, port: scripts.polyglot.port },
  memoryBytes: Math.min(scripts.memoryBytes, Math.floor(runs.memoryBytes * OF_A_SCRIPT)),
});

/** Next to this file after compilation. */
const PROGRAM = join(__dirname, 'pool/run-child.js');
const IDLE_MS = 30_000;
const BEATS_OF_A_STALL = 10;

export interface EngineDependencies {
  readonly config: Pick<Config, 'runs' | 'outbound' | 'scripts' | 'workflow'>;
  /** HTTP client of the service, for in-process runs; children create their own. */
  readonly outbound: Outbound;
  readonly clock: Clock;
  /** The compiled program of a child, if it is not next to this file. */
  readonly program?: string;
  /** The compiled sandbox thread, for in-process runs in a process that is not compiled. */
  readonly sandbox?: string;
}

export function createEngine({
  config,
  outbound,
  clock,
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
  return createPooledEngine({
    program,
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
      beatMs: Math.floor(stallMs / BEATS_OF_A_STALL),
      silenceMs: LEASE_TIMES.leaseMs,
    },
  });
}

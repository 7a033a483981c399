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

/** Of the memory of a run: an answer is there as bytes, as text and as a value before anything is done with it. */
const OF_ONE_BODY = 1 / 4;
/** What later steps may read, as bytes: as values it takes more. */
const OF_ALL_KEPT = 1 / 2;

/** What aggregators are given is text, and once more when it goes into their sandbox. */
const OF_ALL_COLLECTED = 1 / 16;

/** What a script takes lies beside everything else that the run has. */
const OF_A_SCRIPT = 1 / 2;

/** Bytes are counted before anything is parsed, so that little memory is not found out by running out of it. */
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

/** A script may not take all that its run may. */
const scriptLimits = ({ runs, scripts }: Pick<Config, 'runs' | 'scripts'>): ScriptsConfig => ({
  timeoutMs: scripts.timeoutMs,
  polyglot: scripts.polyglot && { host: scripts.polyglot.host, port: scripts.polyglot.port },
  memoryBytes: Math.min(scripts.memoryBytes, Math.floor(runs.memoryBytes * OF_A_SCRIPT)),
});

/** Beside this file when it is compiled. */
const PROGRAM = join(__dirname, 'pool/run-child.js');
const IDLE_MS = 30_000;
const BEATS_OF_A_STALL = 10;

export interface EngineDependencies {
  readonly config: Pick<Config, 'runs' | 'outbound' | 'scripts' | 'workflow'>;
  /** Of the service: runs in its process call through it, children have their own. */
  readonly outbound: Outbound;
  readonly clock: Clock;
  /** The compiled program of a child, where it is not beside this file. */
  readonly program?: string;
  /** The compiled thread of a sandbox, where runs are executed in a process that is not compiled. */
  readonly sandbox?: string;
}

/** The engine that the configuration asks for. */
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

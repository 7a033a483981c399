import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../../config/config';
import type { Clock } from '../../../platform/clock/clock';
import type { Outbound } from '../../../platform/outbound';
import { createScripts } from '../../../platform/scripts';
import { LEASE_TIMES } from '../run-owners';
import { executionLimits, scriptLimits } from './execution-limits';
import { createInProcessEngine } from './in-process-engine';
import { createPooledEngine } from './pool/pooled-engine';
import type { RunEngine } from './run-engine';

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
export function createEngine({ config, outbound, clock, program = PROGRAM, sandbox }: EngineDependencies): RunEngine {
  const { isolation, memoryBytes, stallMs } = config.runs;
  const limits = executionLimits(config.runs);
  const scripts = scriptLimits(config);
  if (isolation === 'none') return createInProcessEngine({ http: outbound, scripts: createScripts(scripts, sandbox), clock, limits });
  const most = config.workflow.concurrentRuns;
  return createPooledEngine({
    program, most, idleMs: IDLE_MS,
    warm: Math.min(most, availableParallelism(), 2),
    settings: {
      limits, scripts, memoryBytes, stallMs,
      outbound: { ...config.outbound, maxResponseBytes: Math.min(config.outbound.maxResponseBytes, limits.maxResponseBytes ?? Infinity) },
      beatMs: Math.floor(stallMs / BEATS_OF_A_STALL), silenceMs: LEASE_TIMES.leaseMs,
    },
  });
}

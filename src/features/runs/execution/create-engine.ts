import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../../config/config';
import type { Clock } from '../../../platform/clock/clock';
import type { Outbound } from '../../../platform/outbound';
import { executionLimits } from './execution-limits';
import { createInProcessEngine } from './in-process-engine';
import { createPooledEngine } from './pool/pooled-engine';
import type { RunEngine } from './run-engine';

/** Beside this file when it is compiled. */
const PROGRAM = join(__dirname, 'pool/run-child.js');
const IDLE_MS = 30_000;
const BEATS_OF_A_STALL = 10;

export interface EngineDependencies {
  readonly config: Pick<Config, 'runs' | 'outbound' | 'workflow'>;
  /** Of the service: runs in its process call through it, children have their own. */
  readonly outbound: Outbound;
  readonly clock: Clock;
  /** The compiled program of a child, where it is not beside this file. */
  readonly program?: string;
}

/** The engine that the configuration asks for. */
export function createEngine({ config, outbound, clock, program = PROGRAM }: EngineDependencies): RunEngine {
  const { isolation, memoryBytes, stallMs } = config.runs;
  const limits = executionLimits(config.runs);
  if (isolation === 'none') return createInProcessEngine({ http: outbound, clock, limits });
  const most = config.workflow.concurrentRuns;
  return createPooledEngine({
    program, most, idleMs: IDLE_MS,
    warm: Math.min(most, availableParallelism(), 2),
    settings: {
      limits, memoryBytes, stallMs,
      outbound: { ...config.outbound, maxResponseBytes: Math.min(config.outbound.maxResponseBytes, limits.maxResponseBytes ?? Infinity) },
      beatMs: Math.floor(stallMs / BEATS_OF_A_STALL),
    },
  });
}

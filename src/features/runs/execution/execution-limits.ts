import { DEFAULT_LIMITS } from '../../../engine';
import type { Config } from '../../../config/config';
import type { ScriptsConfig } from '../../../platform/scripts';
import type { ExecutionLimits } from './run-engine';

/** Of the memory of a run: an answer is there as bytes, as text and as a value before anything is done with it. */
const OF_ONE_BODY = 1 / 4;
/** What later steps may read, as bytes: as values it takes more. */
const OF_ALL_KEPT = 1 / 2;

/** What aggregators are given is text, and once more when it goes into their sandbox. */
const OF_ALL_COLLECTED = 1 / 16;

/** What a script takes lies beside everything else that the run has. */
const OF_A_SCRIPT = 1 / 2;

/** Bytes are counted before anything is parsed, so that little memory is not found out by running out of it. */
export function executionLimits({ memoryBytes, maxEvents, maxTurns, maxStoredBytes }: Config['runs']): ExecutionLimits {
  const part = (limit: number, share: number): number => Math.min(limit, Math.floor(memoryBytes * share));
  return {
    maxEvents, maxTurns, maxStoredBytes,
    maxKeptBytes: part(DEFAULT_LIMITS.maxKeptBytes, OF_ALL_KEPT),
    maxAggregatedBytes: part(DEFAULT_LIMITS.maxAggregatedBytes, OF_ALL_COLLECTED),
    maxRequestBytes: part(DEFAULT_LIMITS.maxRequestBytes, OF_ONE_BODY),
    maxResponseBytes: part(DEFAULT_LIMITS.maxResponseBytes, OF_ONE_BODY),
  };
}

/** A script may not take all that its run may. */
export const scriptLimits = ({ runs, scripts }: Pick<Config, 'runs' | 'scripts'>): ScriptsConfig =>
  ({ timeoutMs: scripts.timeoutMs, polyglot: scripts.polyglot && { host: scripts.polyglot.host, port: scripts.polyglot.port }, memoryBytes: Math.min(scripts.memoryBytes, Math.floor(runs.memoryBytes * OF_A_SCRIPT)) });

import type { Config } from '../../config/config';
import { systemActor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import type { Logger } from '../../platform/log/logger';
import { createRepeating } from '../../platform/repeating';
import type { Repeating } from '../../platform/repeating';
import type { WorkflowService } from './workflow.service';

export interface TestSweeperDependencies {
  readonly workflows: Pick<WorkflowService, 'removeTests'>;
  /** Returns which of these runs were interrupted. */
  readonly interruptedAmong: (runIds: readonly number[]) => Promise<ReadonlySet<number>>;
  readonly config: Pick<Config, 'sweeper'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'error'>;
}

/** A client that saves a workflow for a test starts it within this time, ms. */
const START_MS = 60_000;
const ACTOR = systemActor('sweeper');

/**
 * Removes workflows left behind by tests, never one that a run executes: after an initial delay,
 * then periodically. Workflows of interrupted tests are removed at once. The second sweep follows
 * soon, because workflows saved just before a crash are too recent for the first.
 */
export function createTestSweeper({
  workflows,
  interruptedAmong,
  config,
  clock,
  log,
}: TestSweeperDependencies): Repeating {
  const { enabled, fixedDelayMs, initialDelayMs } = config.sweeper.testConnection;
  let sweeps = 0;

  const sweeping = createRepeating(
    async () => {
      sweeps += 1;
      try {
        const { removed, connectionIds } = await workflows.removeTests(ACTOR, {
          unchangedSince: new Date(clock.now().getTime() - START_MS),
          interruptedAmong,
        });
        if (removed > 0)
          log.info({ connectionIds }, 'workflows that tests left behind were removed');
      } catch (error) {
        log.error({ err: error }, 'workflows that tests left behind could not be removed');
      }
    },
    {
      firstMs: initialDelayMs,
      thenMs: () => (sweeps === 1 ? Math.min(START_MS, fixedDelayMs) : fixedDelayMs),
    },
  );

  return {
    ...sweeping,
    start: () => {
      if (enabled) sweeping.start();
    },
  };
}

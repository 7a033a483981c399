import type { Config } from '../../config/config';
import { systemActor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import type { Logger } from '../../platform/log/logger';
import { createRepeating } from '../../platform/repeating';
import type { Repeating } from '../../platform/repeating';
import type { WorkflowService } from './workflow.service';

export interface TestSweeperDependencies {
  readonly workflows: Pick<WorkflowService, 'removeTests'>;
  readonly config: Pick<Config, 'sweeper'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'error'>;
}

/** So long a client may take between saving a workflow for a test and running it. */
const FRESH_MS = 60_000;
const ACTOR = systemActor('sweeper');

/** Removes the workflows that interrupted tests left behind, never one that a run executes: after the initial delay, then again and again. */
export function createTestSweeper({ workflows, config, clock, log }: TestSweeperDependencies): Repeating {
  const { enabled, fixedDelayMs, initialDelayMs } = config.sweeper.testConnection;

  const sweeping = createRepeating(async () => {
    try {
      const { removed, connectionIds } = await workflows.removeTests(ACTOR, { unchangedSince: new Date(clock.now().getTime() - FRESH_MS) });
      if (removed > 0) log.info({ connectionIds }, 'workflows that tests left behind were removed');
    } catch (error) {
      log.error({ err: error }, 'workflows that tests left behind could not be removed');
    }
  }, { firstMs: initialDelayMs, thenMs: fixedDelayMs });

  return { ...sweeping, start: () => { if (enabled) sweeping.start(); } };
}

import type { Config } from '../../config/config';
import { systemActor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import type { Logger } from '../../platform/log/logger';
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

export interface TestSweeper {
  /** Sweeps after the initial delay, then again and again, each time a while after the last one has ended. */
  start(): void;
  stop(): Promise<void>;
}

/** Removes the workflows that interrupted tests left behind, never one that a run executes. */
export function createTestSweeper({ workflows, config, clock, log }: TestSweeperDependencies): TestSweeper {
  const { enabled, fixedDelayMs, initialDelayMs } = config.sweeper.testConnection;
  let timer: NodeJS.Timeout | undefined;
  let sweeping = Promise.resolve();
  let isStopped = false;

  async function sweep(): Promise<void> {
    try {
      const { removed, connectionIds } = await workflows.removeTests(ACTOR, { unchangedSince: new Date(clock.now().getTime() - FRESH_MS) });
      if (removed > 0) log.info({ connectionIds }, 'workflows that tests left behind were removed');
    } catch (error) {
      log.error({ err: error }, 'workflows that tests left behind could not be removed');
    }
  }

  function after(ms: number): void {
    if (isStopped) return;
    timer = setTimeout(() => {
      sweeping = sweep().then(() => after(fixedDelayMs));
    }, ms).unref();
  }

  return {
    start() {
      if (enabled) after(initialDelayMs);
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await sweeping;
    },
  };
}

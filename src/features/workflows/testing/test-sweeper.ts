import type { Config } from '../../../config/config';
import { systemActor } from '../../../platform/access/actor';
import type { Core } from '../../../platform/core';
import { createRepeating } from '../../../platform/repeating';
import type { Repeating } from '../../../platform/repeating';
import type { TestCleanupConditions, WorkflowDeletion } from '../saving/workflow-deletion';

/** A client that saves a workflow for a test starts it within this time. */
const START_MS = 60_000;
const ACTOR = systemActor('sweeper');

/**
 * Removes workflows left behind by tests, never one that a run executes: after an initial delay,
 * then periodically. Workflows of interrupted tests are removed at once. The second sweep follows
 * soon, because workflows saved just before a crash are too recent for the first.
 */
export class TestSweeper implements Repeating {
  private readonly repeating: Repeating;
  private readonly isEnabled: boolean;
  private sweeps = 0;

  constructor(
    private readonly core: Core,
    private readonly workflows: WorkflowDeletion,
    private readonly interruptedAmong: NonNullable<TestCleanupConditions['interruptedAmong']>,
    { testConnection: { enabled, fixedDelayMs, initialDelayMs } }: Config['sweeper'],
  ) {
    this.isEnabled = enabled;
    this.repeating = createRepeating(() => this.sweep(), {
      firstMs: initialDelayMs,
      thenMs: () => (this.sweeps === 1 ? Math.min(START_MS, fixedDelayMs) : fixedDelayMs),
    });
  }

  start(): void {
    if (this.isEnabled) this.repeating.start();
  }

  stop(): Promise<void> {
    return this.repeating.stop();
  }

  private async sweep(): Promise<void> {
    const { clock, log } = this.core;
    this.sweeps += 1;
    try {
      const { removed, connectionIds } = await this.workflows.removeTests(ACTOR, {
        unchangedSince: new Date(clock.now().getTime() - START_MS),
        interruptedAmong: this.interruptedAmong,
      });
      if (removed > 0) log.info({ connectionIds }, 'removed workflows left behind by tests');
    } catch (error) {
      log.error({ err: error }, 'could not remove workflows left behind by tests');
    }
  }
}

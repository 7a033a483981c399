import type { Actor } from '../../platform/access/actor';
import { DomainError } from '../../platform/errors/errors';
import type { JobInHand } from '../../platform/jobs/jobs';
import type { RunEvents } from '../runs/events/run-events.service';
import type { RunService } from '../runs/run.service';

/** Maximum time a job waits for its run, ms; then the log is packed as far as it is written. */
const MAX_WAIT_MS = 10 * 60 * 1_000;

/** Executes a workflow, with logging, before its logs are packed. */
export class LoggedRun {
  constructor(
    private readonly runs: RunService,
    private readonly runEvents: RunEvents,
  ) {}

  /** Executes the workflow and waits for its end. Cancelling the job cancels the run. */
  async execute(actor: Actor, workflowId: number, job: JobInHand): Promise<void> {
    const { _id: runId } = await this.runs.run(actor, workflowId, { logging: true });
    await job.progress(1, `Run ${runId} is running.`);
    try {
      await job.aside(async () => {
        await this.waitForEnd(actor, runId, job.signal);
        job.signal.throwIfAborted();
      });
    } catch (error) {
      if (!job.signal.aborted) throw error;
      await this.runs.cancel(actor, runId).catch((refused: unknown) => {
        if (!(refused instanceof DomainError)) throw refused;
      });
      throw error;
    }
  }

  /** Resolves when the run has ended, the signal aborts or the wait times out. */
  private async waitForEnd(actor: Actor, runId: number, signal: AbortSignal): Promise<void> {
    const waiting = AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT_MS)]);
    try {
      for await (const { event } of await this.runEvents.follow(actor, runId, 0, waiting))
        if (event.kind === 'RunFinished') return;
    } catch (error) {
      // The log of an ended run may be removed already: pack without it.
      if (!waiting.aborted && !(error instanceof DomainError)) throw error;
    }
  }
}

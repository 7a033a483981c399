import type { Actor } from '../../platform/access/actor';
import { Refused } from '../../platform/errors/errors';
import type { RunService } from '../runs/run.service';
import type { WorkflowDocument } from '../workflows/workflow.document';
import type { WorkflowService } from '../workflows/workflow.service';
import type { ScheduleRecord } from './schedule.model';
import type { TestSchedules } from './test-schedules';

declare module '../../platform/context' {
  interface Services {
    schedules: ScheduleService;
  }
}

/** A schedule with the workflow it runs, as whoever asks may see it. */
export interface ShownSchedule {
  readonly schedule: ScheduleRecord;
  readonly document: WorkflowDocument;
}

export interface ScheduleDependencies {
  readonly tests: TestSchedules;
  readonly runs: Pick<RunService, 'cancel'>;
  readonly workflows: Pick<WorkflowService, 'byIds' | 'documents'>;
}

export type ScheduleService = ReturnType<typeof createScheduleService>;

/** Looks at schedules and stops what they run. */
export function createScheduleService({ tests, runs, workflows }: ScheduleDependencies) {
  /** Without those whose test has ended meanwhile. */
  async function shown(actor: Actor, schedules: readonly ScheduleRecord[]): Promise<ShownSchedule[]> {
    const records = await workflows.byIds(schedules.map(({ workflowId }) => workflowId));
    const documents = await workflows.documents(actor, records.flatMap((record) => record?.content ?? []));
    return schedules.flatMap((schedule, at) => {
      const document = documents.get(records[at]?.content.id ?? '');
      return document ? [{ schedule, document }] : [];
    });
  }

  return {
    all: async (actor: Actor): Promise<ShownSchedule[]> => shown(actor, await tests.all(actor)),

    /** @throws NotFound SCHEDULER_NOT_FOUND, also for somebody else's test */
    async get(actor: Actor, id: number): Promise<ShownSchedule> {
      const [one] = await shown(actor, [await tests.get(actor, id)]);
      return one ?? tests.missing(id);
    },

    /**
     * Cancels the run of a schedule; one that has ended already is ended.
     * @throws NotFound SCHEDULER_NOT_FOUND, also for somebody else's test
     */
    async terminate(actor: Actor, id: number): Promise<void> {
      const { runId } = await tests.get(actor, id);
      await runs.cancel(actor, runId).catch((error: unknown) => {
        if (!(error instanceof Refused && error.code === 'EXECUTION_ALREADY_FINISHED')) throw error;
      });
    },
  };
}

import type { Services } from '../../../platform/context';
import { ErrorRuns } from '../queue/run-starter';
import { FAILURES } from '../run.model';
import type { EndEffect } from './run-endings';

/** What else changes when a run ends, in order. */
export function endEffects(services: Services): readonly EndEffect[] {
  const { workflowSnapshots, scheduleRecords, blockedRuns, testSchedules, runCounters } = services;
  const errorRuns = new ErrorRuns({
    records: services.runRecords,
    workflows: services.workflows,
    snapshots: workflowSnapshots,
    parameters: services.runParameters,
    starter: services.runStarter,
  });
  return [
    (run, tx) => workflowSnapshots.end(run, tx),
    (run, tx) => scheduleRecords.recordEnd(run, tx),
    (_run, tx, before) => blockedRuns.releaseAfter(before, tx),
    (run, tx) => {
      const { workflowId, startedAt, queuedAt, state } = run;
      if (run.test) return testSchedules.end(run._id, tx);
      const failed = FAILURES.includes(state);
      return runCounters.count({ workflowId, startedAt: startedAt ?? queuedAt, failed }, tx);
    },
    (run, tx) => errorRuns.startFor(run, tx),
    (run, tx) => services.notificationRecords.runEnded(run, tx),
  ];
}

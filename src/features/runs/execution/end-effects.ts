import type { Services } from '../../../platform/context';
import { ErrorRuns } from '../queue/run-starter';
import type { EndedRun, Metrics } from '../../../platform/metrics/metrics';
import { FAILURES } from '../run.model';
import type { RunRecord } from '../run.model';
import type { EndEffect } from './run-endings';

/** What else changes when a run ends, in order. */
export function endEffects(
  services: Services,
  metrics: Pick<Metrics, 'runEnded'>,
): readonly EndEffect[] {
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
      const { workflowId, startedAt, queuedAt, durationMs, state } = run;
      if (run.test) return testSchedules.end(run._id, tx);
      const failed = FAILURES.includes(state);
      runCounters.count(
        { workflowId, startedAt: startedAt ?? queuedAt, durationMs: durationMs ?? 0, failed },
        tx,
      );
      return undefined;
    },
    (run, tx) => errorRuns.startFor(run, tx),
    (run, tx) => services.notificationRecords.runEnded(run, tx),
    (run, tx) => tx.afterCommit(() => metrics.runEnded(figuresOf(run))),
  ];
}

function figuresOf({
  state,
  trigger,
  steps,
  startedAt,
  queuedAt,
  durationMs,
}: RunRecord): EndedRun {
  return {
    state,
    trigger,
    steps: steps ?? 0,
    seconds: startedAt === null ? null : (durationMs ?? 0) / 1_000,
    waitSeconds: startedAt === null ? null : (startedAt.getTime() - queuedAt.getTime()) / 1_000,
  };
}

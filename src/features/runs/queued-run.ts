import { authorOf } from '../../platform/access/actor';
import type { Actor } from '../../platform/access/actor';
import type { HeldSnapshot } from '../workflows/versions/workflow-snapshots';
import type { RunRecord } from './run.model';
import type { RunOwners } from './run-owners';
import type { RunTriggerName } from './run-triggers';

export interface NewlyQueued {
  readonly id: number;
  readonly held: Pick<HeldSnapshot, 'workflowId' | 'title' | 'content' | 'temporary'>;
  readonly test: boolean;
  readonly trigger: RunTriggerName;
  readonly logging: boolean;
  /** Log key, if the run has a log. */
  readonly logKey: string;
  /** Null if no user starts it. */
  readonly actor: Actor | null;
  readonly queuedAt: Date;
  /** Initial owner fields. */
  readonly owned: ReturnType<RunOwners['ofNew']>;
  /** Fields that only some runs have. */
  readonly more: Pick<
    RunRecord,
    | 'scheduleId'
    | 'dueAt'
    | 'isBlocked'
    | 'hasParameters'
    | 'retryOf'
    | 'errorOf'
    | 'failedWorkflows'
    | 'depth'
  >;
}

export const queuedRun = ({
  id,
  held: { workflowId, title: workflowTitle, content, temporary },
  test,
  trigger,
  logging,
  logKey,
  actor,
  queuedAt,
  owned,
  more,
}: NewlyQueued): RunRecord => ({
  _id: id,
  workflowId,
  workflowTitle,
  content,
  test,
  temporary,
  trigger,
  logging: test || logging,
  ...((test || logging) && { logOf: logKey }),
  state: 'QUEUED',
  queuedAt,
  startedAt: null,
  finishedAt: null,
  durationMs: null,
  startedBy: actor && authorOf(actor),
  steps: null,
  error: null,
  lastSequence: null,
  depth: (actor?.runDepth ?? 0) + 1,
  ...more,
  ...(more.scheduleId !== undefined && { openOfSchedule: more.scheduleId }),
  ...owned,
});

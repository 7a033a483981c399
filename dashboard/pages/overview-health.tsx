import { useEffect, useMemo } from 'preact/hooks';
import { useQuery, useThrottle } from '../api/hooks';
import { hasPermission } from '../current-user';
import {
  NextRunsDocument,
  RecentWorkflowsDocument,
  RunState,
  WorkflowHealthDocument,
} from '../generated/operations';
import type { RunFilter, WorkflowHealthQuery } from '../generated/operations';
import { formatDuration, formatQuantity } from '../parts/format';
import { Card, ErrorText } from '../parts/page';
import { RUN_STATES, isFailure } from '../parts/runs/run-state';
import { now, Time } from '../parts/runs/times';
import { EmptyState, QueryContent } from '../parts/states';
import { href } from '../router';

type Workflow = WorkflowHealthQuery['workflows']['nodes'][number];

const FAILED: RunFilter = { state: { in: RUN_STATES.filter(isFailure) } };
const SUCCEEDED: RunFilter = { state: { eq: RunState.Succeeded } };
const FILTERS = { failed: FAILED, succeeded: SUCCEEDED };
/** Of the operation: more failures are not counted. */
const MAX_FAILURES = 20;
const MAX_WORKFLOWS = 20;
const RELOAD_INTERVAL_MS = 5_000;

/** A run is slow if it took this many times as long as usual, and a second longer. */
const SLOW_FACTOR = 2;
const SLOW_MS = 1_000;
/** With fewer earlier runs, it is not known what is usual. */
const MIN_EARLIER_RUNS = 3;

/** The failures of a workflow since its last success, newest first. */
const currentFailures = ({ failures, successes }: Workflow): Workflow['failures']['nodes'] => {
  const lastSuccess = successes.nodes[0]?.queuedAt ?? '';
  return failures.nodes.filter(({ queuedAt }) => queuedAt > lastSuccess);
};

interface SlowRun {
  readonly workflow: Workflow;
  readonly runId: number;
  readonly durationMs: number;
  readonly usualMs: number;
}

/** The last successful run of a workflow if it took much longer than the median of those before. */
function slowRunOf(workflow: Workflow): SlowRun | null {
  const [last, ...earlier] = workflow.successes.nodes;
  const durations = earlier
    .flatMap(({ durationMs }) => (durationMs === null ? [] : [durationMs]))
    .sort((one, other) => one - other);
  const usualMs = durations[Math.floor(durations.length / 2)];
  if (last?.durationMs == null || usualMs === undefined || durations.length < MIN_EARLIER_RUNS)
    return null;
  const { databaseId: runId, durationMs } = last;
  return durationMs >= usualMs * SLOW_FACTOR && durationMs >= usualMs + SLOW_MS
    ? { workflow, runId, durationMs, usualMs }
    : null;
}

/** Workflows of the newest runs, with their last failures and successes. */
function useHealth(changes: unknown) {
  const recent = useQuery(RecentWorkflowsDocument, FILTERS);
  const ids = useMemo(() => {
    const runs = [...(recent.data?.failed.nodes ?? []), ...(recent.data?.succeeded.nodes ?? [])];
    const all = runs.flatMap(({ workflow }) => (workflow ? [String(workflow.databaseId)] : []));
    return [...new Set(all)].slice(0, MAX_WORKFLOWS).sort();
  }, [recent.data]);
  // The lists stay while they are loaded for other workflows.
  const topic = ids.length === 0 ? 'no workflows' : 'workflows';
  const health = useQuery(WorkflowHealthDocument, { ids, ...FILTERS }, topic);
  const reload = useThrottle(() => {
    recent.reload();
    health.reload();
  }, RELOAD_INTERVAL_MS);
  useEffect(reload, [changes]);
  return recent.data === null ? { ...health, data: null, failure: recent.failure } : health;
}

function FailingWorkflow({ workflow }: { workflow: Workflow }) {
  const failures = currentFailures(workflow);
  const [last, first] = [failures[0], failures.at(-1)];
  if (last === undefined || first === undefined) return null;
  const hasMore = failures.length === MAX_FAILURES;
  return (
    <li>
      <a href={href(`workflows/${workflow.databaseId}`)}>
        <bdi>{workflow.title}</bdi>
      </a>{' '}
      <span class="quiet">
        {hasMore ? 'at least ' : ''}
        {formatQuantity(failures.length, 'failure', 'failures')}, the{' '}
        {hasMore ? 'last ones' : 'first'} <Time at={first.queuedAt} form="relative" />
      </span>
      <span class="health-detail">
        <a href={href(`runs/${last.databaseId}`)}>Run {last.databaseId}</a>{' '}
        {last.error === null ? 'was interrupted' : <ErrorText error={last.error} />}
      </span>
    </li>
  );
}

function NextRuns() {
  // A schedule that was due has another time.
  const minute = Math.floor(now.value / 60_000);
  const query = useQuery(NextRunsDocument, {});
  useEffect(query.reload, [minute]);
  return (
    <Card title="Next runs" aside={<a href={href('schedules')}>All</a>}>
      <QueryContent
        query={query}
        name="schedules"
        rows={3}
        isEmpty={({ schedules }) => schedules.nodes.length === 0}
        empty={<EmptyState icon="clock" title="No schedule is due" />}
      >
        {({ schedules }) => (
          <ul class="health-list">
            {schedules.nodes.map(({ databaseId, title, nextFireTimes, workflow }) => (
              <li key={databaseId}>
                <a href={href(`schedules/${databaseId}`)}>
                  <bdi>{title}</bdi>
                </a>{' '}
                <span class="quiet">
                  {nextFireTimes[0] === undefined ? null : (
                    <Time at={nextFireTimes[0]} form="relative" />
                  )}
                </span>
                {workflow === null ? null : (
                  <span class="health-detail quiet">
                    <bdi>{workflow.title}</bdi>
                  </span>
                )}
              </li>
            ))}
          </ul>
        )}
      </QueryContent>
    </Card>
  );
}

function RunHealth({ changes }: { changes: unknown }) {
  const query = useHealth(changes);
  const failing = ({ workflows: { nodes } }: WorkflowHealthQuery): Workflow[] =>
    nodes.filter((workflow) => currentFailures(workflow).length > 0);
  const slow = ({ workflows: { nodes } }: WorkflowHealthQuery): SlowRun[] =>
    nodes.map(slowRunOf).filter((run) => run !== null);
  return (
    <>
      <Card title="What fails now">
        <QueryContent
          query={query}
          name="workflows"
          rows={3}
          isEmpty={(data) => failing(data).length === 0}
          empty={
            <EmptyState icon="check" title="Nothing fails">
              The last run of each workflow succeeded.
            </EmptyState>
          }
        >
          {(data) => (
            <ul class="health-list">
              {failing(data).map((workflow) => (
                <FailingWorkflow key={workflow.databaseId} workflow={workflow} />
              ))}
            </ul>
          )}
        </QueryContent>
      </Card>
      <Card title="Slow">
        <QueryContent
          query={query}
          name="workflows"
          rows={3}
          isEmpty={(data) => slow(data).length === 0}
          empty={
            <EmptyState icon="check" title="Nothing is slow">
              No last run took twice as long as usual.
            </EmptyState>
          }
        >
          {(data) => (
            <ul class="health-list">
              {slow(data).map(({ workflow, runId, durationMs, usualMs }) => (
                <li key={runId}>
                  <a href={href(`workflows/${workflow.databaseId}`)}>
                    <bdi>{workflow.title}</bdi>
                  </a>
                  <span class="health-detail">
                    <a href={href(`runs/${runId}`, { view: 'timeline' })}>Run {runId}</a> took{' '}
                    {formatDuration(durationMs)}, usually {formatDuration(usualMs)}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </QueryContent>
      </Card>
    </>
  );
}

/**
 * What an operator looks at first: failing and slow workflows, and the next runs.
 * @param props.changes changes whenever runs have changed
 */
export function OverviewHealth({ changes }: { changes: unknown }) {
  const canReadRuns = hasPermission.value('CONNECTION:READ');
  const canReadSchedules = hasPermission.value('SCHEDULE:READ');
  if (!canReadRuns && !canReadSchedules) return null;
  return (
    <div class="health">
      {canReadRuns ? <RunHealth changes={changes} /> : null}
      {canReadSchedules ? <NextRuns /> : null}
    </div>
  );
}

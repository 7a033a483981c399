import type { ComponentChildren } from 'preact';
import type { RunQuery } from '../generated/operations';
import { formatConstant, formatNumber } from '../parts/format';
import { Fact } from '../parts/page';
import { RunStateLabel } from '../parts/runs/run-state';
import { RunDuration, Time } from '../parts/runs/times';
import { href } from '../router';

type Run = NonNullable<RunQuery['run']>;

const linkTo = (run: { readonly databaseId: number }): ComponentChildren => (
  <a class="num" href={href(`runs/${run.databaseId}`)}>
    #{run.databaseId}
  </a>
);

function WorkflowFact({ run: { workflow, workflowTitle, workflowVersion } }: { run: Run }) {
  const title = <bdi>{workflowTitle}</bdi>;
  return (
    <Fact name="Workflow">
      {workflow ? <a href={href(`workflows/${workflow.databaseId}`)}>{title}</a> : title}
      {workflowVersion ? <span class="quiet"> version {workflowVersion.number}</span> : null}
    </Fact>
  );
}

function TriggerFact({ run: { schedule, trigger, startedBy } }: { run: Run }) {
  return (
    <Fact name="Started by">
      {schedule ? (
        <a href={href('schedules', { find: schedule.title })}>
          <bdi>{schedule.title}</bdi>
        </a>
      ) : (
        formatConstant(trigger)
      )}
      {startedBy ? (
        <span class="quiet">
          {' '}
          <bdi>{startedBy.email}</bdi>
        </span>
      ) : null}
    </Fact>
  );
}

function RetriesFact({ run: { retries } }: { run: Run }) {
  if (retries.nodes.length === 0) return null;
  const more = retries.totalCount - retries.nodes.length;
  return (
    <Fact name="Retries">
      {retries.nodes.map((retry) => (
        <span key={retry.databaseId}>
          {linkTo(retry)} <RunStateLabel state={retry.state} />{' '}
        </span>
      ))}
      {more > 0 ? <span class="quiet">and {formatNumber(more)} more</span> : null}
    </Fact>
  );
}

/** The workflow, start and duration of a run, and the runs it belongs to. */
export function RunSummary({ run }: { run: Run }) {
  const { retryOf, errorOf, errorRun } = run;
  return (
    <dl class="facts facts-row">
      <WorkflowFact run={run} />
      <TriggerFact run={run} />
      <Fact name={run.startedAt ? 'Started' : 'Queued'}>
        <Time at={run.startedAt ?? run.queuedAt} form="exact" />
      </Fact>
      <Fact name="Duration">
        <RunDuration run={run} />
      </Fact>
      {run.stepCount == null ? null : (
        <Fact name="Steps">
          <span class="num">{formatNumber(run.stepCount)}</span>
        </Fact>
      )}
      {run.warnings === 0 ? null : (
        <Fact name="Warnings">
          <span class="num warn">{formatNumber(run.warnings)}</span>
        </Fact>
      )}
      {retryOf ? (
        <Fact name="Retry of">
          {linkTo(retryOf)} <RunStateLabel state={retryOf.state} />
        </Fact>
      ) : null}
      <RetriesFact run={run} />
      {errorOf ? (
        <Fact name="Error run for">
          <bdi>{errorOf.workflowTitle}</bdi> {linkTo(errorOf)}
        </Fact>
      ) : null}
      {errorRun ? (
        <Fact name="Error run">
          <bdi>{errorRun.workflowTitle}</bdi> {linkTo(errorRun)}{' '}
          <RunStateLabel state={errorRun.state} />
        </Fact>
      ) : null}
    </dl>
  );
}

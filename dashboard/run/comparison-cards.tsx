import type { ComponentChildren } from 'preact';
import type { ComparedRunFragment } from '../generated/operations';
import { DataTable } from '../parts/data-table';
import { formatConstant, formatDuration, formatNumber } from '../parts/format';
import { Card, ErrorText } from '../parts/page';
import { RunStateLabel } from '../parts/runs/run-state';
import { RunDuration, Time } from '../parts/runs/times';
import { href } from '../router';
import { MAX_COMPARED_EVENTS, nodesOf } from './compare-runs';
import type { Comparison, Difference, EndedStep, LoadedSteps } from './compare-runs';
import { ErrorExchange, EventExchange } from './exchange';
import { stepNumber } from './step-tree';

function VersionDifference({
  run,
  other,
}: {
  run: ComparedRunFragment;
  other: ComparedRunFragment;
}) {
  const [to, from] = [run.workflowVersion, other.workflowVersion];
  if (to === null || from === null)
    return <p class="quiet">The version of one of the runs is no longer stored.</p>;
  if (to.snapshotId === from.snapshotId)
    return <p class="quiet">Both ran the same version of the workflow.</p>;
  const text = `Version ${from.number} and version ${to.number} differ`;
  return run.workflow === null || run.workflow.databaseId !== other.workflow?.databaseId ? (
    <p>{text}.</p>
  ) : (
    <p>
      {text}:{' '}
      <a
        href={href(`workflows/${run.workflow.databaseId}`, {
          from: from.snapshotId,
          to: to.snapshotId,
        })}
      >
        show what changed
      </a>
    </p>
  );
}

/** State, start, duration and version of both runs. */
export function RunsCard({ run, other }: { run: ComparedRunFragment; other: ComparedRunFragment }) {
  return (
    <Card title="Runs">
      <DataTable
        label="Runs"
        items={[run, other]}
        keyOf={({ databaseId }) => databaseId}
        columns={[
          {
            title: 'Run',
            cell: ({ databaseId }) => <a href={href(`runs/${databaseId}`)}>#{databaseId}</a>,
          },
          { title: 'State', cell: ({ state }) => <RunStateLabel state={state} /> },
          {
            title: 'Started',
            isWideOnly: true,
            cell: ({ startedAt, queuedAt }) => <Time at={startedAt ?? queuedAt} />,
          },
          { title: 'Duration', cell: (item) => <RunDuration run={item} /> },
          {
            title: 'Version',
            cellClass: 'num',
            cell: ({ workflowVersion }) => workflowVersion?.number ?? 'not stored',
          },
        ]}
      />
      {run.error === null ? null : (
        <p class="error-box">
          <ErrorText error={run.error} />
        </p>
      )}
      <VersionDifference run={run} other={other} />
    </Card>
  );
}

const formatIterations = (loopIndex: readonly number[]): string =>
  loopIndex.length === 0
    ? ''
    : `, iteration ${loopIndex.map((iteration) => iteration + 1).join(' / ')}`;

function titleOf({ run }: LoadedSteps, { index, loopIndex }: EndedStep): string {
  const title = nodesOf(run).get(index)?.title ?? 'Step';
  return `${stepNumber(index)} ${title}${formatIterations(loopIndex)}`;
}

function Side({ side: { run }, step }: { side: LoadedSteps; step: EndedStep | null }) {
  const id = String(run.databaseId);
  const hasErrorExchange =
    !run.logging && run.error !== null && step !== null && run.error.index === step.index;
  return (
    <section class="compare-side" aria-label={`Run ${id}`}>
      <h3>
        <a href={href(`runs/${id}`, { step: step?.index })}>Run {id}</a>
      </h3>
      {step === null ? (
        <p class="quiet">This run did not reach the step.</p>
      ) : (
        <>
          <p>
            {formatConstant(step.outcome)}
            {step.statusCode === null ? '' : `, ${step.statusCode}`}
            {step.durationMs === null ? '' : `, ${formatDuration(step.durationMs)}`}
          </p>
          {hasErrorExchange ? (
            <ErrorExchange runId={id} />
          ) : (
            <EventExchange runId={id} sequence={step.sequence} isStored={run.logging} />
          )}
        </>
      )}
    </section>
  );
}

function DifferentStep({
  title,
  difference: { step, other },
  comparison,
}: {
  title: string;
  difference: Difference;
  comparison: Comparison;
}) {
  const name =
    step !== null
      ? titleOf(comparison.run, step)
      : other === null
        ? ''
        : titleOf(comparison.other, other);
  return (
    <>
      <p>
        {title}: <b>{name}</b>
      </p>
      <div class="compare-sides">
        <Side side={comparison.run} step={step} />
        <Side side={comparison.other} step={other} />
      </div>
    </>
  );
}

/** What is not stored of the runs, as sentences. */
function notesOf({ run, other }: Comparison): string[] {
  return [run, other].flatMap(({ run: { databaseId, logging }, isGone, isCut }) => [
    ...(isGone ? [`The steps of run ${databaseId} are no longer stored.`] : []),
    ...(logging || isGone
      ? []
      : [`Run ${databaseId} ran without logging: its answers were not stored.`]),
    ...(isCut
      ? [
          `Only the first ${formatNumber(MAX_COMPARED_EVENTS)} events of run ${databaseId} are compared.`,
        ]
      : []),
  ]);
}

/** The first step with another state or status, and the first with another answer. */
export function DifferenceCard({ comparison }: { comparison: Comparison }) {
  const { run, other, outcome, answer } = comparison;
  const isComparable = !run.isGone && !other.isGone;
  const isSameStep = outcome !== null && answer !== null && outcome.step?.key === answer.step?.key;
  const hasAnswers = run.run.logging && other.run.logging;
  const equal: ComponentChildren = hasAnswers
    ? 'All steps of both runs ended the same way, with the same answers.'
    : 'All steps of both runs ended the same way.';
  return (
    <Card title="First difference">
      {notesOf(comparison).map((note) => (
        <p key={note} class="quiet">
          {note}
        </p>
      ))}
      {isComparable && outcome === null && answer === null ? <p>{equal}</p> : null}
      {answer === null || isSameStep ? null : (
        <DifferentStep title="First other answer" difference={answer} comparison={comparison} />
      )}
      {outcome === null ? null : (
        <DifferentStep title="First other result" difference={outcome} comparison={comparison} />
      )}
    </Card>
  );
}

interface StepTotal {
  readonly title: string;
  times: number;
  ms: number;
}

/** Sums of the durations over all iterations. */
function totalsOf(side: LoadedSteps): Map<string, StepTotal> {
  const nodes = nodesOf(side.run);
  const totals = new Map<string, StepTotal>();
  for (const { stepKey, index, durationMs } of side.steps.values()) {
    if (durationMs === null) continue;
    const title = `${stepNumber(index)} ${nodes.get(index)?.title ?? 'Step'}`;
    const total = totals.get(stepKey) ?? { title, times: 0, ms: 0 };
    total.times += 1;
    total.ms += durationMs;
    totals.set(stepKey, total);
  }
  return totals;
}

const formatTotal = (total: StepTotal | undefined): string =>
  total === undefined
    ? '–'
    : `${formatDuration(total.ms)}${total.times > 1 ? ` (×${formatNumber(total.times)})` : ''}`;

function changeText(total: StepTotal | undefined, other: StepTotal | undefined): string {
  if (total === undefined || other === undefined) return '–';
  const ms = total.ms - other.ms;
  return `${ms < 0 ? '−' : '+'}${formatDuration(Math.abs(ms))}`;
}

/** How long each step took in both runs. */
export function DurationsCard({ comparison: { run, other } }: { comparison: Comparison }) {
  const [left, right] = [totalsOf(run), totalsOf(other)];
  const keys = [...new Set([...left.keys(), ...right.keys()])];
  if (keys.length === 0) return null;
  return (
    <Card title="Durations">
      <DataTable
        label="Durations"
        items={keys}
        keyOf={(key) => key}
        columns={[
          {
            title: 'Step',
            cellClass: 'cell-step',
            cell: (key) => (left.get(key) ?? right.get(key))?.title,
          },
          {
            title: `Run ${run.run.databaseId}`,
            cellClass: 'num',
            cell: (key) => formatTotal(left.get(key)),
          },
          {
            title: `Run ${other.run.databaseId}`,
            cellClass: 'num',
            cell: (key) => formatTotal(right.get(key)),
          },
          {
            title: 'Change',
            cellClass: 'num',
            cell: (key) => changeText(left.get(key), right.get(key)),
          },
        ]}
      />
    </Card>
  );
}

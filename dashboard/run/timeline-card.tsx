import type { ComponentChildren } from 'preact';
import type { RunQuery } from '../generated/operations';
import { DataTable } from '../parts/data-table';
import type { Column } from '../parts/data-table';
import { formatDuration, formatNumber, formatQuantity, msBetween } from '../parts/format';
import { Icon } from '../parts/icon';
import { Card } from '../parts/page';
import { hasEnded } from '../parts/runs/run-state';
import { now } from '../parts/runs/times';
import { href, route, setQuery } from '../router';
import { enclosingIterations } from './step-list';
import type { StepListState } from './step-list';
import type { StepNode } from './step-tree';
import { histogramOf, iterationDurations, timelineRows } from './timeline';
import type { StartedRun, TimelineRow } from './timeline';
import { LoadEvents } from './unloaded-events';
import type { RunView } from './use-run-view';

type Run = NonNullable<RunQuery['run']>;

const WIDTH = 1_000;
const HEIGHT = 14;
/** Short steps stay visible. */
const MIN_PART_WIDTH = 4;
const BIN_WIDTH = 40;
const BIN_HEIGHT = 60;

const startedRunsOf = ({ errorRun, retries }: Run): StartedRun[] => [
  ...(errorRun === null
    ? []
    : [{ ...errorRun, title: `Error run ${errorRun.databaseId}: ${errorRun.workflowTitle}` }]),
  ...retries.nodes.map((retry) => ({ ...retry, title: `Retry ${retry.databaseId}` })),
];

const openLoops = (): string[] => (route.value.query.get('open') ?? '').split(',').filter(Boolean);

function toggleLoop(index: string): void {
  const open = openLoops();
  const next = open.includes(index) ? open.filter((each) => each !== index) : [...open, index];
  setQuery({ open: next.join() }, { replace: true });
}

function Bar({ parts, totalMs }: { parts: TimelineRow['parts']; totalMs: number }) {
  const toX = (ms: number): number => (Math.max(0, ms) / Math.max(1, totalMs)) * WIDTH;
  return (
    <svg
      class="timeline-bar"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {parts
        .filter(({ from }) => from <= totalMs)
        .map(({ kind, from, to }) => (
          <rect
            key={from}
            class={`part-${kind}`}
            x={Math.min(toX(from), WIDTH - MIN_PART_WIDTH)}
            y={kind === 'wait' ? HEIGHT / 2 - 2 : 1}
            width={Math.max(toX(Math.min(to, totalMs)) - toX(from), MIN_PART_WIDTH)}
            height={kind === 'wait' ? 4 : HEIGHT - 2}
          />
        ))}
    </svg>
  );
}

function RowTitle({ row, selected }: { row: TimelineRow; selected: string | null }) {
  const { node, title, runId, depth } = row;
  if (runId !== null)
    return (
      <a href={href(`runs/${runId}`)}>
        <bdi>{title}</bdi>
      </a>
    );
  if (node === null) return <span class="quiet">{title}</span>;
  const isOpen = openLoops().includes(node.index);
  return (
    <span class={`timeline-title depth-${Math.min(depth, 4)}`}>
      {node.kind === 'loop' && node.children.length > 0 ? (
        <button
          type="button"
          class="bare"
          aria-expanded={isOpen}
          aria-label={`Steps of ${title}`}
          onClick={() => toggleLoop(node.index)}
        >
          <Icon name={isOpen ? 'down' : 'right'} size={14} />
        </button>
      ) : null}
      <button
        type="button"
        class="step-name"
        aria-pressed={node.index === selected}
        onClick={() => setQuery({ step: node.index }, { replace: true })}
      >
        <bdi>{title}</bdi>
      </button>
    </span>
  );
}

const durationText = (ms: number | null): string => (ms === null ? '–' : formatDuration(ms));
const waitingText = ({ waitingMs }: TimelineRow): string =>
  waitingMs > 0 ? formatDuration(waitingMs) : '–';

function columnsOf(queuedAt: string, totalMs: number, selected: string | null) {
  const startText = ({ startedAt }: TimelineRow): string =>
    startedAt === null ? 'has not run' : `+${formatDuration(msBetween(queuedAt, startedAt))}`;
  const columns: Column<TimelineRow>[] = [
    {
      title: 'Step',
      cellClass: 'cell-step',
      cell: (row) => (
        <>
          <RowTitle row={row} selected={selected} />
          <span class="quiet num only-narrow">
            {startText(row)}
            {row.waitingMs > 0 ? `, waited ${waitingText(row)}` : ''}
            {row.retries > 0 ? `, ${formatQuantity(row.retries, 'retry', 'retries')}` : ''}
          </span>
        </>
      ),
    },
    {
      title: 'Time',
      cellClass: 'cell-bar',
      cell: ({ parts }) => <Bar parts={parts} totalMs={totalMs} />,
    },
    { title: 'Start', cellClass: 'num', isWideOnly: true, cell: startText },
    { title: 'Duration', cellClass: 'num', cell: ({ durationMs }) => durationText(durationMs) },
    { title: 'Waiting', cellClass: 'num', isWideOnly: true, cell: waitingText },
    {
      title: 'Retries',
      cellClass: 'num',
      isWideOnly: true,
      cell: ({ retries }) => (retries === 0 ? '–' : formatNumber(retries)),
    },
  ];
  return columns;
}

/** How long the iterations of a loop took: a histogram, and the same as a table. */
function LoopDurations({ node, durations }: { node: StepNode; durations: readonly number[] }) {
  const ranges = histogramOf(durations);
  const most = Math.max(...ranges.map(({ count }) => count));
  const average = durations.reduce((sum, ms) => sum + ms, 0) / durations.length;
  const text = `${formatQuantity(durations.length, 'iteration', 'iterations')}, ${formatDuration(average)} on average, ${formatDuration(Math.max(...durations))} at most`;
  return (
    <section class="loop-durations" aria-label={`Durations of ${node.title}`}>
      <h3>
        <bdi>{node.title}</bdi>
      </h3>
      <p class="quiet num">{text}</p>
      <svg
        class="histogram"
        viewBox={`0 0 ${ranges.length * BIN_WIDTH} ${BIN_HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {ranges.map(({ from, count }, at) => (
          <rect
            key={from}
            class="part-work"
            x={at * BIN_WIDTH + 2}
            y={BIN_HEIGHT * (1 - count / most)}
            width={BIN_WIDTH - 4}
            height={(BIN_HEIGHT * count) / most}
          />
        ))}
      </svg>
      <details>
        <summary>As a table</summary>
        <DataTable
          label={`Durations of the iterations of ${node.title}`}
          items={ranges}
          keyOf={({ from }) => from}
          columns={[
            {
              title: 'Duration',
              cellClass: 'num',
              cell: ({ from, to }) => `${formatDuration(from)} to ${formatDuration(to)}`,
            },
            { title: 'Iterations', cellClass: 'num', cell: ({ count }) => formatNumber(count) },
          ]}
        />
      </details>
    </section>
  );
}

const loopsOf = (nodes: readonly StepNode[]): StepNode[] =>
  nodes.flatMap((node) => [...(node.kind === 'loop' ? [node] : []), ...loopsOf(node.children)]);

/** When the steps of a run began, how long they took and what they waited for. */
export function TimelineCard({
  run,
  nodes,
  list: { selectedIterations, selected },
  view: { timings, unloaded, failure },
  aside,
}: {
  run: Run;
  nodes: readonly StepNode[];
  list: StepListState;
  view: RunView;
  aside: ComponentChildren;
}) {
  if (timings === null && unloaded !== null)
    return (
      <Card title="Timeline" aside={aside}>
        <p class="quiet">
          The times of the steps are among the {formatNumber(unloaded.events)} events of this run.
        </p>
        <LoadEvents unloaded={unloaded} text="Load the times" />
      </Card>
    );
  const results = timings ?? undefined;
  if (results === undefined) return null;
  const endsAt =
    run.finishedAt ??
    (hasEnded(run.state) ? (run.startedAt ?? run.queuedAt) : new Date(now.value).toISOString());
  const rows = timelineRows({
    queuedAt: run.queuedAt,
    startedAt: run.startedAt,
    endsAt,
    nodes,
    results,
    selected: selectedIterations,
    openLoops: openLoops(),
    startedRuns: startedRunsOf(run),
  });
  return (
    <Card title="Timeline" aside={aside}>
      {failure?.code === 'RUN_LOG_GONE' ? (
        <p class="quiet">The times of the steps are no longer stored.</p>
      ) : null}
      <DataTable
        label="Timeline"
        items={rows}
        keyOf={({ key }) => key}
        columns={columnsOf(run.queuedAt, msBetween(run.queuedAt, endsAt), selected)}
      />
      {loopsOf(nodes).map((node) => {
        const iterations = enclosingIterations(nodes, node.index, results, selectedIterations);
        const durations = iterationDurations(results, node.index, iterations);
        return durations.length === 0 ? null : (
          <LoopDurations key={node.index} node={node} durations={durations} />
        );
      })}
    </Card>
  );
}

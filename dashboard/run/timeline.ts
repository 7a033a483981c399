import { msBetween } from '../parts/format';
import { shownIteration } from './iterations';
import type { SelectedIterations } from './iterations';
import type { RunResults, StepResult } from './run-results';
import type { StepNode } from './step-tree';

/** A part of a bar: from and to are ms since the run was queued. */
export interface TimelinePart {
  readonly kind: 'wait' | 'work' | 'failed';
  readonly from: number;
  readonly to: number;
}

export interface TimelineRow {
  readonly key: string;
  readonly title: string;
  /** The step, or null for the queue and other runs. */
  readonly node: StepNode | null;
  /** A run that this run started. */
  readonly runId: number | null;
  readonly depth: number;
  /** Null if it has not run in the shown iterations. */
  readonly startedAt: string | null;
  readonly durationMs: number | null;
  readonly waitingMs: number;
  readonly retries: number;
  readonly parts: readonly TimelinePart[];
}

/** A run that the shown run started: its retries, and the run of its error workflow. */
export interface StartedRun {
  readonly databaseId: number;
  readonly title: string;
  readonly startedAt: string | null;
  readonly durationMs: number | null;
}

export interface TimelineSource {
  readonly queuedAt: string;
  readonly startedAt: string | null;
  /** The end of the run, or now. */
  readonly endsAt: string;
  readonly nodes: readonly StepNode[];
  readonly results: RunResults;
  readonly selected: SelectedIterations;
  /** Indexes of the loops whose steps are shown. */
  readonly openLoops: readonly string[];
  readonly startedRuns: readonly StartedRun[];
}

const NOT_RUN = { startedAt: null, durationMs: null, waitingMs: 0, retries: 0, parts: [] } as const;

/** The attempts of a step, with the pauses between them. */
function partsOf(result: StepResult, { queuedAt, endsAt }: TimelineSource): TimelinePart[] {
  const attempts = [...result.earlierAttempts, result];
  return attempts.flatMap(({ startedAt, durationMs }, at) => {
    const from = msBetween(queuedAt, startedAt);
    const to = durationMs === null ? msBetween(queuedAt, endsAt) : from + durationMs;
    const isLast = at === attempts.length - 1;
    const next = attempts[at + 1];
    const work: TimelinePart = {
      kind: !isLast || result.state === 'FAILED' ? 'failed' : 'work',
      from,
      to,
    };
    return next === undefined
      ? [work]
      : [work, { kind: 'wait', from: to, to: msBetween(queuedAt, next.startedAt) }];
  });
}

function timesOf(
  result: StepResult | undefined,
  source: TimelineSource,
): Omit<TimelineRow, 'key' | 'title' | 'node' | 'runId' | 'depth'> {
  if (result === undefined) return NOT_RUN;
  // A condition takes no time.
  const isInstant = result.result !== null;
  const parts = isInstant ? [] : partsOf(result, source);
  const waitingMs = parts
    .filter(({ kind }) => kind === 'wait')
    .reduce((sum, { from, to }) => sum + Math.max(0, to - from), 0);
  const [first] = [...result.earlierAttempts, result];
  return {
    startedAt: first?.startedAt ?? null,
    durationMs: isInstant ? null : (parts.at(-1)?.to ?? 0) - (parts[0]?.from ?? 0),
    waitingMs,
    retries: result.earlierAttempts.length,
    parts,
  };
}

function rowsOfSteps(
  nodes: readonly StepNode[],
  iterations: readonly number[],
  depth: number,
  source: TimelineSource,
): TimelineRow[] {
  const { results, selected, openLoops } = source;
  return nodes.flatMap((node) => {
    const { index, kind, title, children } = node;
    const result = results.resultOf(index, iterations);
    const row = { key: index, title, node, runId: null, depth, ...timesOf(result, source) };
    if (kind !== 'loop') return [row, ...rowsOfSteps(children, iterations, depth + 1, source)];
    if (!openLoops.includes(index)) return [row];
    const iteration = shownIteration(results, index, iterations, selected) ?? 0;
    return [row, ...rowsOfSteps(children, [...iterations, iteration], depth + 1, source)];
  });
}

/** The rows of the timeline: the queue, the steps in their order, and the runs it started. */
export function timelineRows(source: TimelineSource): TimelineRow[] {
  const { queuedAt, startedAt, endsAt, nodes, startedRuns } = source;
  const waitingMs = msBetween(queuedAt, startedAt ?? endsAt);
  const queue: TimelineRow = {
    key: 'queue',
    title: 'Queue',
    node: null,
    runId: null,
    depth: 0,
    startedAt: queuedAt,
    durationMs: null,
    waitingMs,
    retries: 0,
    parts: [{ kind: 'wait', from: 0, to: waitingMs }],
  };
  const runs = startedRuns.map((run): TimelineRow => {
    const from = run.startedAt === null ? null : msBetween(queuedAt, run.startedAt);
    return {
      ...NOT_RUN,
      ...run,
      key: `run-${run.databaseId}`,
      node: null,
      runId: run.databaseId,
      depth: 0,
      parts: from === null ? [] : [{ kind: 'work', from, to: from + (run.durationMs ?? 0) }],
    };
  });
  return [queue, ...rowsOfSteps(nodes, [], 0, source), ...runs];
}

/** Durations of the iterations of a loop, ms, as far as their starts were read. */
export function iterationDurations(
  results: RunResults,
  index: string,
  iterations: readonly number[],
): number[] {
  const loop = results.resultOf(index, iterations);
  const starts = results.steps.get(index)?.iterationStarts;
  if (loop === undefined || starts === undefined) return [];
  const startOf = (iteration: number): string | undefined =>
    starts.get([...iterations, iteration].join('.'));
  return Array.from({ length: loop.startedIterations }, (_, at) => {
    const [start, next] = [startOf(at), startOf(at + 1)];
    if (start === undefined) return null;
    if (next !== undefined) return msBetween(start, next);
    return loop.durationMs === null ? null : loop.durationMs - msBetween(loop.startedAt, start);
  }).filter((ms) => ms !== null);
}

export interface DurationRange {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

const MAX_RANGES = 10;

/** Counts durations in ranges of the same size. */
export function histogramOf(durations: readonly number[]): DurationRange[] {
  const [min, max] = durations.reduce(
    ([least, most], ms) => [Math.min(least, ms), Math.max(most, ms)],
    [Infinity, 0],
  );
  if (durations.length === 0) return [];
  const size = Math.max(1, Math.ceil((max - min + 1) / MAX_RANGES));
  const ranges = Array.from({ length: Math.floor((max - min) / size) + 1 }, (_, at) => ({
    from: min + at * size,
    to: min + (at + 1) * size,
    count: 0,
  }));
  for (const ms of durations) {
    const range = ranges[Math.floor((ms - min) / size)];
    if (range !== undefined) range.count += 1;
  }
  return ranges;
}

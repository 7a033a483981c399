import { useEffect, useRef } from 'preact/hooks';
import { formatDuration } from '../parts/format';
import { Icon } from '../parts/icon';
import type { IconName } from '../parts/icon';
import { RunStateLabel } from '../parts/runs/run-state';
import { Duration } from '../parts/runs/times';
import { setQuery } from '../router';
import { shownIteration } from './iterations';
import type { SelectedIterations } from './iterations';
import { LoopIterations } from './loop-iterations';
import { MISSING_MARKS } from './missing-reason';
import type { MissingReason } from './missing-reason';
import type { RunResults, StepResult } from './run-results';
import { closedStepParameter, stepElementId, stepNumber } from './step-tree';
import type { StepNode } from './step-tree';

const ICONS: Readonly<Record<StepNode['kind'], IconName>> = {
  method: 'call',
  if: 'branch',
  loop: 'loop',
};

/** What the list of steps shows of a run. */
export interface StepListState {
  readonly results: RunResults;
  readonly selectedIterations: SelectedIterations;
  /** Index of the selected step. */
  readonly selected: string | null;
  /** Index of the step that ended the run. */
  readonly failedAt: string | null;
  /** Why a step has no data in these iterations. Default: it has not run. */
  readonly missing?: (index: string, iterations: readonly number[]) => MissingReason;
  /** The run has ended: a step without an end is not running, its end was not read yet. */
  readonly isOver?: boolean;
  /** Shows only the steps, without a run. */
  readonly isPlain?: boolean;
}

interface StepProps {
  readonly node: StepNode;
  /** Iterations of the enclosing loops. */
  readonly iterations: readonly number[];
  readonly list: StepListState;
}

/** Returns whether a step of an ended run has started, but its end was not read yet. */
export const isUnread = (
  result: StepResult | undefined,
  { isOver = false }: StepListState,
): boolean => isOver && result?.state === 'RUNNING';

/**
 * Returns whether a step ended the run in these iterations. A step that could not start has no
 * event: the error of the run, from the newest iteration, names it.
 */
export function hasEndedRun(
  index: string,
  result: StepResult | undefined,
  { results, selectedIterations, failedAt }: StepListState,
): boolean {
  if (failedAt !== index) return false;
  if (result !== undefined) return result.state === 'FAILED';
  return selectedIterations.size === 0 && !results.steps.get(index)?.failures;
}

/** What a step did in the shown iterations. */
interface ShownStep {
  readonly result: StepResult | undefined;
  /** For a loop: its shown iteration. */
  readonly iteration: number | null;
  /** Number of times it started. */
  readonly starts: number;
  readonly hasFailed: boolean;
}

function shownStep({ node: { index, kind }, iterations, list }: StepProps): ShownStep {
  const { results, selectedIterations } = list;
  const result = results.resultOf(index, iterations);
  return {
    result,
    iteration:
      kind === 'loop' ? shownIteration(results, index, iterations, selectedIterations) : null,
    starts: results.steps.get(index)?.starts ?? 0,
    hasFailed: hasEndedRun(index, result, list),
  };
}

function StepOutcome({
  node,
  step: { result, hasFailed },
  list,
  missing,
}: Pick<StepProps, 'node' | 'list'> & {
  step: ShownStep;
  missing: MissingReason;
}) {
  if (result === undefined || isUnread(result, list))
    return hasFailed ? (
      <RunStateLabel state="FAILED" />
    ) : (
      <span class="quiet">{MISSING_MARKS[missing]}</span>
    );
  if (node.kind === 'if' && result.error === null)
    return (
      <span class={`verdict verdict-${String(result.result)}`}>
        {result.result ? 'true' : 'false'}
      </span>
    );
  return (
    <>
      {result.attempts > 1 ? <span class="tag">{result.attempts} attempts</span> : null}
      {result.statusCode === null ? null : <span class="quiet num">{result.statusCode}</span>}
      <RunStateLabel state={hasFailed ? 'FAILED' : result.state} />
      <span class="outcome-time">
        {result.durationMs === null ? (
          <Duration ms={null} since={result.state === 'RUNNING' ? result.startedAt : null} />
        ) : (
          <span class="num">{formatDuration(result.durationMs)}</span>
        )}
      </span>
    </>
  );
}

/** The name of a step: a button that opens and closes its details. */
function StepButton({
  node,
  list: { selected, failedAt },
  starts,
}: Pick<StepProps, 'node' | 'list'> & { starts: number }) {
  const isSelected = selected === node.index;
  const step = isSelected ? closedStepParameter(failedAt) : node.index;
  return (
    <button
      id={stepElementId(node.index)}
      type="button"
      class="step-name"
      aria-pressed={isSelected}
      onClick={() => setQuery({ step }, { replace: true })}
    >
      <span class="step-title">
        <span class="quiet num">{stepNumber(node.index)} </span>
        <bdi>{node.title}</bdi>
        {starts > 1 ? <span class="quiet num times"> ×{starts}</span> : null}
      </span>
      {node.detail === null ? null : <code class="step-about">{node.detail}</code>}
    </button>
  );
}

function StepLine({ node, iterations, list, step }: StepProps & { step: ShownStep }) {
  const { result, iteration, starts } = step;
  const line = useRef<HTMLDivElement>(null);
  const isSelected = list.selected === node.index;
  // Links may select a step outside the visible area.
  useEffect(() => {
    if (isSelected) line.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  return (
    <div ref={line} class={isSelected ? 'step-line selected' : 'step-line'}>
      <span class={`step-icon step-icon-${node.kind}`}>
        <Icon name={ICONS[node.kind]} size={15} />
      </span>
      <StepButton node={node} list={list} starts={starts} />
      {result !== undefined && node.kind === 'loop' && result.size !== null ? (
        <LoopIterations
          node={node}
          result={result}
          iteration={iteration}
          value={
            iteration === null
              ? null
              : list.results.iterationValue(node.index, [...iterations, iteration])
          }
          selected={list.selectedIterations}
        />
      ) : null}
      {list.isPlain ? null : (
        <span class="outcome">
          <StepOutcome
            node={node}
            step={step}
            list={list}
            missing={list.missing?.(node.index, iterations) ?? 'not-run'}
          />
        </span>
      )}
    </div>
  );
}

function StepRow({ node, iterations, list }: StepProps) {
  const step = shownStep({ node, iterations, list });
  const { result, iteration, hasFailed } = step;
  const resultState = result !== undefined && !isUnread(result, list) ? result.state : 'none';
  const state = hasFailed ? 'failed' : resultState.toLowerCase();
  const isSkipped = node.kind === 'if' && result?.result === false;
  return (
    <li class={`step step-${list.isPlain ? 'plain' : state}${isSkipped ? ' step-skipped' : ''}`}>
      <StepLine node={node} iterations={iterations} list={list} step={step} />
      {node.children.length === 0 ? null : (
        <StepList
          nodes={node.children}
          iterations={node.kind === 'loop' ? [...iterations, iteration ?? 0] : iterations}
          list={list}
        />
      )}
    </li>
  );
}

/** The steps of a workflow, with their results in the selected iterations. */
export function StepList({
  nodes,
  iterations = [],
  list,
}: Omit<StepProps, 'node' | 'iterations'> & {
  nodes: readonly StepNode[];
  iterations?: readonly number[];
}) {
  return (
    <ul class="steps">
      {nodes.map((node) => (
        <StepRow key={node.index} node={node} iterations={iterations} list={list} />
      ))}
    </ul>
  );
}

/** Returns the loops around a step, outermost first. */
export function loopsAround(nodes: readonly StepNode[], index: string): StepNode[] {
  const parent = nodes.find((node) => index.startsWith(`${node.index}_`));
  if (parent === undefined) return [];
  return [...(parent.kind === 'loop' ? [parent] : []), ...loopsAround(parent.children, index)];
}

/** Returns the shown iterations of the loops around a step, 0 where none has started. */
export const enclosingIterations = (
  nodes: readonly StepNode[],
  index: string,
  results: RunResults,
  selected: SelectedIterations,
): readonly number[] =>
  loopsAround(nodes, index).reduce<readonly number[]>(
    (iterations, loop) => [
      ...iterations,
      shownIteration(results, loop.index, iterations, selected) ?? 0,
    ],
    [],
  );

export const findStep = (nodes: readonly StepNode[], index: string): StepNode | null => {
  for (const node of nodes) {
    const match = node.index === index ? node : findStep(node.children, index);
    if (match !== null) return match;
  }
  return null;
};

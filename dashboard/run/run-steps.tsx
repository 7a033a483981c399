import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { RunQuery } from '../generated/operations';
import { SegmentedControl } from '../parts/fields';
import { Card } from '../parts/page';
import { hasEnded } from '../parts/runs/run-state';
import { EmptyState, ErrorState } from '../parts/states';
import { route, setQuery } from '../router';
import { parseIterations } from './iterations';
import { missingReason } from './missing-reason';
import { EditStepLink } from './run-failure';
import type { RunResults } from './run-results';
import { StepDetails } from './step-details';
import {
  enclosingIterations,
  findStep,
  hasEndedRun,
  isUnread,
  loopsAround,
  StepList,
} from './step-list';
import type { StepListState } from './step-list';
import { stepIdOf, treeFromResults, treeFromShapes } from './step-tree';
import type { StepNode } from './step-tree';
import { TimelineCard } from './timeline-card';
import type { RunView } from './use-run-view';

type Run = NonNullable<RunQuery['run']>;

/** Two columns if a step is selected. */
export function StepColumns({
  list,
  details,
}: {
  list: ComponentChildren;
  details: ComponentChildren;
}) {
  return (
    <div class={details === null ? 'run-body' : 'run-body run-body-split'}>
      {list}
      {details}
    </div>
  );
}

function useStepTree(run: Run, results: RunResults): readonly StepNode[] {
  const shapes = run.workflowVersion?.steps;
  // For a deleted version, the steps appear as events arrive.
  const stepCount = shapes === undefined ? results.steps.size : 0;
  return useMemo(
    () => (shapes === undefined ? treeFromResults(results.steps.values()) : treeFromShapes(shapes)),
    [shapes, stepCount],
  );
}

const VIEWS = [
  { value: 'steps', text: 'Steps' },
  { value: 'timeline', text: 'Timeline' },
];

const isTimeline = (): boolean => route.value.query.get('view') === 'timeline';

function ViewControl({ progress }: { progress: string | null }) {
  return (
    <span class="view-control">
      {progress === null ? null : (
        <span class="quiet num" role="status">
          {progress}
        </span>
      )}
      <SegmentedControl
        label="View"
        value={isTimeline() ? 'timeline' : 'steps'}
        options={VIEWS}
        onChange={(value) =>
          setQuery({ view: value === 'timeline' ? value : null }, { replace: true })
        }
      />
    </span>
  );
}

function StepListCard({
  nodes,
  list,
  view: { failure, progress, reload },
}: {
  nodes: readonly StepNode[];
  list: StepListState;
  view: RunView;
}) {
  return (
    <Card title="Steps" aside={<ViewControl progress={progress} />}>
      {failure === null ? null : failure.code === 'RUN_LOG_GONE' ? (
        <p class="quiet">The results of the steps are no longer stored.</p>
      ) : (
        <ErrorState failure={failure} retry={reload} name="step results" />
      )}
      {nodes.length === 0 ? (
        <EmptyState icon="empty" title="No steps" />
      ) : (
        <StepList nodes={nodes} list={list} />
      )}
    </Card>
  );
}

/** Turns the iterations of a link, `at=0.3`, into those of the loops around its step. */
function useLinkedIterations(nodes: readonly StepNode[]): void {
  const { query } = route.value;
  const [step, at] = [query.get('step'), query.get('at')];
  useEffect(() => {
    if (step === null || at === null || findStep(nodes, step) === null) return;
    const turns = loopsAround(nodes, step)
      .map(({ index }, depth) => `${index}:${at.split('.')[depth] ?? 0}`)
      .join();
    setQuery({ turns, at: null }, { replace: true });
  }, [nodes, step, at]);
}

/** The steps of a run, and the selected one with its details. The URL holds the selection. */
export function RunSteps({ run, view }: { run: Run; view: RunView }) {
  const { query } = route.value;
  const { results } = view;
  const nodes = useStepTree(run, results);
  useLinkedIterations(nodes);
  const selectedIterations = parseIterations(query.get('turns'));
  const failedAt = run.error?.index ?? null;
  // A failed run opens with its failed step.
  const selected = query.get('step') ?? failedAt;
  const node = selected === null ? null : findStep(nodes, selected);
  const missing = (index: string, iterations: readonly number[]) =>
    missingReason(results, index, iterations, view);
  const list = {
    results,
    selectedIterations,
    selected: node?.index ?? null,
    failedAt,
    missing,
    isOver: hasEnded(run.state),
  };
  return (
    <StepColumns
      list={
        isTimeline() ? (
          <TimelineCard
            run={run}
            nodes={nodes}
            list={list}
            view={view}
            aside={<ViewControl progress={view.progress} />}
          />
        ) : (
          <StepListCard nodes={nodes} list={list} view={view} />
        )
      }
      details={
        node === null ? null : (
          <SelectedStep run={run} nodes={nodes} node={node} list={list} messages={view.messages} />
        )
      }
    />
  );
}

/** Whether a step ended the run in these iterations, and its own events do not have what it sent. */
const isErrorExchange = (
  { error, state, hasLog }: Run,
  { index, kind }: StepNode,
  iterations: readonly number[],
): boolean =>
  kind === 'method' &&
  state === 'FAILED' &&
  !hasLog &&
  error?.index === index &&
  (error.loopIndex ?? []).join() === iterations.join();

function SelectedStep({
  run,
  nodes,
  node,
  list,
  messages,
}: {
  run: Run;
  nodes: readonly StepNode[];
  node: StepNode;
  list: Required<Pick<StepListState, 'missing'>> & StepListState;
  messages: RunView['messages'];
}) {
  const { results, selectedIterations, failedAt, missing } = list;
  const iterations = enclosingIterations(nodes, node.index, results, selectedIterations);
  const result = results.resultOf(node.index, iterations);
  return (
    <StepDetails
      runId={String(run.databaseId)}
      node={node}
      actions={node.index === failedAt ? null : <EditStepLink run={run} stepId={stepIdOf(node)} />}
      failedAt={failedAt}
      iterations={iterations}
      result={result}
      isUnread={isUnread(result, list)}
      runError={
        hasEndedRun(node.index, result, list) && !result?.error
          ? (run.error?.message ?? null)
          : null
      }
      missing={missing(node.index, iterations)}
      isExchangeStored={run.logging || run.test}
      warnings={messages.filter(({ index, level }) => index === node.index && level === 'WARN')}
      hasErrorExchange={isErrorExchange(run, node, iterations)}
    />
  );
}

import { useMemo } from 'preact/hooks';
import type { StepShapeFragment } from '../generated/operations';
import { formatDuration } from '../parts/format';
import { Card, Fact } from '../parts/page';
import { EmptyState } from '../parts/states';
import { route } from '../router';
import { RunResults } from './run-results';
import { StepColumns } from './run-steps';
import { StepCard, StepSubject } from './step-details';
import { findStep, StepList } from './step-list';
import { stepNumber, treeFromShapes } from './step-tree';
import type { StepNode } from './step-tree';

const NO_RESULTS = new RunResults();

function SelectedStep({ node }: { node: StepNode }) {
  const method = node.shape?.__typename === 'MethodStep' ? node.shape : null;
  return (
    <StepCard node={node} state={null}>
      <dl class="facts">
        <Fact name="Step" isNumber>
          {stepNumber(node.index)}
        </Fact>
        <StepSubject node={node} />
        {method?.retries == null ? null : (
          <Fact name="Retries" isNumber>
            {method.retries}
          </Fact>
        )}
        {method?.timeout ? (
          <Fact name="Timeout" isNumber>
            {formatDuration(method.timeout)}
          </Fact>
        ) : null}
      </dl>
    </StepCard>
  );
}

/** The steps of a workflow or a template without a run, and the selected one. */
export function StepOutline({ steps }: { steps: readonly StepShapeFragment[] }) {
  const nodes = useMemo(() => treeFromShapes(steps), [steps]);
  const index = route.value.query.get('step');
  const selected = index === null ? null : findStep(nodes, index);
  const list = {
    results: NO_RESULTS,
    selectedIterations: new Map<string, number>(),
    selected: selected?.index ?? null,
    failedAt: null,
    isPlain: true,
  };
  return (
    <StepColumns
      list={
        <Card title="Steps">
          {nodes.length === 0 ? (
            <EmptyState icon="empty" title="No steps yet" />
          ) : (
            <StepList nodes={nodes} list={list} />
          )}
        </Card>
      }
      details={selected === null ? null : <SelectedStep node={selected} />}
    />
  );
}

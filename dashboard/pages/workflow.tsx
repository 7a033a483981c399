import { useMemo } from 'preact/hooks';
import { ask } from '../api/ask';
import { useAsked, useFollowed, useSoon } from '../api/hooks';
import {
  RunWorkflowDocument,
  WatchWorkflowsDocument,
  WorkflowDocument,
} from '../generated/operations';
import type { WorkflowQuery } from '../generated/operations';
import { Action, orThrow } from '../parts/action';
import { Blank, Failed, Listed, Loading } from '../parts/blank';
import { duration } from '../parts/format';
import { useLiveRuns } from '../parts/live-runs';
import { Card, Heading } from '../parts/page';
import { RunTable } from '../parts/run-table';
import { Time } from '../parts/times';
import { go, href, place } from '../place';
import { RunFacts } from '../run/run-facts';
import { aboutOf, StepCard } from '../run/step-details';
import { findStep, StepList } from '../run/step-rows';
import { treeOfShapes } from '../run/step-tree';
import { Versions } from './versions';

type FoundWorkflow = NonNullable<WorkflowQuery['workflow']>;

const CHANGED_MS = 1_000;
const NOTHING_RAN = new RunFacts();

function Start({ id, logging }: { id: string; logging: boolean }) {
  return (
    <Action
      icon="play"
      text={logging ? 'Run with logging' : 'Run now'}
      quiet={logging}
      run={async () => {
        const { workflowRun } = await ask(RunWorkflowDocument, { id, logging });
        orThrow(workflowRun.userErrors);
        go(href(`runs/${workflowRun.run?.databaseId}`));
      }}
    />
  );
}

function Steps({ workflow }: { workflow: FoundWorkflow }) {
  const nodes = useMemo(() => treeOfShapes(workflow.steps), [workflow.steps]);
  const asked = place.value.query.get('step');
  const selected = asked === null ? null : findStep(nodes, asked);
  const shape = selected?.shape;
  return (
    <div class={selected === null ? 'run-body' : 'run-body run-body-split'}>
      <Card title="Steps">
        {nodes.length === 0 ? (
          <Blank icon="empty" title="No steps yet" />
        ) : (
          <StepList
            nodes={nodes}
            around={[]}
            shown={{
              facts: NOTHING_RAN,
              chosen: new Map(),
              selected: selected?.index ?? null,
              failedAt: null,
              plain: true,
            }}
          />
        )}
      </Card>
      {selected === null ? null : (
        <StepCard node={selected} state={null}>
          <dl class="facts">
            <div>
              <dt>Step</dt>
              <dd class="num">{selected.index}</dd>
            </div>
            {aboutOf(selected)}
            {shape?.__typename === 'MethodStep' && shape.retries != null ? (
              <div>
                <dt>Retries</dt>
                <dd class="num">{shape.retries}</dd>
              </div>
            ) : null}
            {shape?.__typename === 'MethodStep' && shape.timeout ? (
              <div>
                <dt>Timeout</dt>
                <dd class="num">{duration(shape.timeout)}</dd>
              </div>
            ) : null}
          </dl>
        </StepCard>
      )}
    </div>
  );
}

function Problems({ problems }: { problems: FoundWorkflow['validation'] }) {
  if (problems.length === 0) return null;
  return (
    <div class="error-box">
      <b>{problems.length === 1 ? '1 problem' : `${problems.length} problems`}</b>
      <ul class="notes">
        {problems.map(({ code, message, index }, at) => (
          <li key={at}>
            <code>{code}</code> <bdi dir="ltr">{message}</bdi>
            {index === null ? null : (
              <>
                {' '}
                <a href={href(place.value.path, { step: index })}>Step {index}</a>
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

export function WorkflowPage({ id }: { id: string }) {
  const asked = useAsked(WorkflowDocument, { id });
  useFollowed(
    WatchWorkflowsDocument,
    useMemo(() => ({ filter: { id: { eq: id } } }), [id]),
    { next: useSoon(asked.again, CHANGED_MS), refused: asked.again },
  );
  const runs = useLiveRuns(
    useMemo(() => ({ filter: { workflow: { eq: id } }, includeTest: false, size: 8 }), [id]),
  );
  if (asked.data === null)
    return (
      <>
        <Heading title={`Workflow ${id}`} />
        {asked.failure === null ? (
          <Loading what="The workflow" rows={6} />
        ) : (
          <Failed failure={asked.failure} again={asked.again} what="workflows" />
        )}
      </>
    );
  const { workflow } = asked.data;
  if (workflow === null)
    return (
      <>
        <Heading title={`Workflow ${id}`} />
        <Blank icon="empty" title="Workflow not found">
          It may have been deleted.
        </Blank>
      </>
    );
  return (
    <>
      <Heading title={workflow.title}>
        <span class="quiet num">#{workflow.databaseId}</span>
        {workflow.viewerCan.update ? (
          <span class="heading-actions">
            <Start id={id} logging />
            <Start id={id} logging={false} />
          </span>
        ) : null}
      </Heading>
      {workflow.description ? <p class="lead">{workflow.description}</p> : null}
      <dl class="facts facts-row">
        <div>
          <dt>Updated</dt>
          <dd>
            <Time at={workflow.updatedAt} />{' '}
            <span class="quiet">
              <bdi>{workflow.updatedBy.email}</bdi>
            </span>
          </dd>
        </div>
        <div>
          <dt>Created</dt>
          <dd>
            <Time at={workflow.createdAt} />{' '}
            <span class="quiet">
              <bdi>{workflow.createdBy.email}</bdi>
            </span>
          </dd>
        </div>
        {workflow.category ? (
          <div>
            <dt>Category</dt>
            <dd>
              <bdi>{workflow.category.name}</bdi>
            </dd>
          </div>
        ) : null}
        {workflow.errorWorkflow ? (
          <div>
            <dt>Error workflow</dt>
            <dd>
              <a href={href(`workflows/${workflow.errorWorkflow.databaseId}`)}>
                <bdi>{workflow.errorWorkflow.title}</bdi>
              </a>
            </dd>
          </div>
        ) : null}
      </dl>
      <Problems problems={workflow.validation} />
      <Steps workflow={workflow} />
      <Card title="Last runs" aside={<a href={href('runs', { workflow: id })}>All</a>}>
        <Listed
          asked={runs}
          what="Runs"
          rows={3}
          isEmpty={({ runs: { nodes } }) => nodes.length === 0}
          empty={<Blank icon="empty" title="It has not run yet" />}
        >
          {({ runs: { nodes } }) => <RunTable runs={nodes} label="Last runs" />}
        </Listed>
      </Card>
      <Versions id={id} changedAt={workflow.updatedAt} />
    </>
  );
}

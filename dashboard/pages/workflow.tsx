import { useMemo } from 'preact/hooks';
import { useQuery, useSubscription, useThrottle } from '../api/hooks';
import type { QueryResult } from '../api/hooks';
import { request } from '../api/request';
import { hasPermission } from '../current-user';
import {
  RunWorkflowDocument,
  SetWorkflowResumeDocument,
  WatchWorkflowsDocument,
  WorkflowDocument,
} from '../generated/operations';
import type { WorkflowQuery } from '../generated/operations';
import { Action, throwUserError } from '../parts/action';
import { Icon } from '../parts/icon';
import { ErrorText, Fact, Heading, RecordPage } from '../parts/page';
import { Time } from '../parts/runs/times';
import { LastRuns, useLastRuns } from '../parts/runs/last-runs';
import { href, navigate, route } from '../router';
import { StepOutline } from '../run/step-outline';
import { stepNumber } from '../run/step-tree';

type Workflow = NonNullable<WorkflowQuery['workflow']>;

/** Minimum interval between reloads when the workflow changes often, ms. */
const RELOAD_INTERVAL_MS = 1_000;

function useWorkflow(id: string): QueryResult<WorkflowQuery> {
  const query = useQuery(WorkflowDocument, { id });
  useSubscription(
    WatchWorkflowsDocument,
    useMemo(() => ({ filter: { id: { eq: id } } }), [id]),
    { onData: useThrottle(query.reload, RELOAD_INTERVAL_MS), onForbidden: query.reload },
  );
  return query;
}

function StartButton({ id, logging }: { id: string; logging: boolean }) {
  return (
    <Action
      icon="play"
      text={logging ? 'Run with logging' : 'Run now'}
      isQuiet={logging}
      run={async () => {
        const { workflowRun } = await request(RunWorkflowDocument, { id, logging });
        throwUserError(workflowRun.userErrors);
        navigate(href(`runs/${workflowRun.run?.databaseId}`));
      }}
    />
  );
}

function Problems({ problems }: { problems: Workflow['validation'] }) {
  if (problems.length === 0) return null;
  return (
    <div class="error-box">
      <b>{problems.length === 1 ? '1 problem' : `${problems.length} problems`}</b>
      <ul class="notes">
        {problems.map(({ code, message, index }, at) => (
          <li key={at}>
            <ErrorText error={{ code, message }} />
            {index === null ? null : (
              <>
                {' '}
                <a href={href(route.value.path, { step: index })}>Step {stepNumber(index)}</a>
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** When a record was written, and by whom. */
function WrittenFact({ name, at, user }: { name: string; at: string; user: { email: string } }) {
  return (
    <Fact name={name}>
      <Time at={at} />{' '}
      <span class="quiet">
        <bdi>{user.email}</bdi>
      </span>
    </Fact>
  );
}

/** Whether runs go on after a crash, with a button that changes it. */
function ResumeFact({ workflow, onChange }: { workflow: Workflow; onChange: () => void }) {
  const { databaseId, resume, viewerCan } = workflow;
  return (
    <Fact name="After a crash">
      {resume ? 'Runs go on' : 'Runs end'}{' '}
      {viewerCan.update ? (
        <Action
          icon="retry"
          text={resume ? 'Let them end' : 'Let them go on'}
          isQuiet
          run={async () => {
            const { workflowResumeSet } = await request(SetWorkflowResumeDocument, {
              id: String(databaseId),
              resume: !resume,
            });
            throwUserError(workflowResumeSet.userErrors);
            onChange();
          }}
        />
      ) : null}
    </Fact>
  );
}

function WorkflowSummary({ workflow, onChange }: { workflow: Workflow; onChange: () => void }) {
  const { category, errorWorkflow } = workflow;
  return (
    <dl class="facts facts-row">
      <WrittenFact name="Updated" at={workflow.updatedAt} user={workflow.updatedBy} />
      <WrittenFact name="Created" at={workflow.createdAt} user={workflow.createdBy} />
      {category ? (
        <Fact name="Category">
          <bdi>{category.name}</bdi>
        </Fact>
      ) : null}
      {errorWorkflow ? (
        <Fact name="Error workflow">
          <a href={href(`workflows/${errorWorkflow.databaseId}`)}>
            <bdi>{errorWorkflow.title}</bdi>
          </a>
        </Fact>
      ) : null}
      <ResumeFact workflow={workflow} onChange={onChange} />
    </dl>
  );
}

function WorkflowHeading({ id, workflow }: { id: string; workflow: Workflow }) {
  return (
    <Heading title={workflow.title}>
      <span class="quiet num">#{workflow.databaseId}</span>
      {hasPermission.value('SCHEDULE:CREATE') ? (
        <a href={href('schedules/new', { workflow: workflow.databaseId, title: workflow.title })}>
          New schedule
        </a>
      ) : null}
      <a href={href(`workflows/${id}/versions`)}>Versions</a>
      {workflow.viewerCan.update ? (
        <span class="heading-actions">
          <a class="button primary" href={href(`workflows/${id}/edit`)}>
            <Icon name="edit" size={14} />
            <span>Edit</span>
          </a>
          <StartButton id={id} logging />
          <StartButton id={id} logging={false} />
        </span>
      ) : null}
    </Heading>
  );
}

export function WorkflowPage({ id }: { id: string }) {
  const query = useWorkflow(id);
  const runs = useLastRuns('workflow', id);
  return (
    <RecordPage
      title={`Workflow ${id}`}
      name="workflow"
      query={query}
      recordOf={({ workflow }) => workflow}
      notFoundText="It may have been deleted."
    >
      {(workflow) => (
        <>
          <WorkflowHeading id={id} workflow={workflow} />
          {workflow.description ? <p class="lead">{workflow.description}</p> : null}
          <WorkflowSummary workflow={workflow} onChange={query.reload} />
          <Problems problems={workflow.validation} />
          <StepOutline steps={workflow.steps} />
          <LastRuns owner="workflow" id={id} runs={runs} />
        </>
      )}
    </RecordPage>
  );
}

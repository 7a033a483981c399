import { useQuery } from '../api/hooks';
import { request } from '../api/request';
import { NewWorkflowButton } from '../build/workflows/new-workflow';
import { hasPermission } from '../current-user';
import {
  CreateExampleDocument,
  RunWorkflowDocument,
  WorkflowCountDocument,
} from '../generated/operations';
import { Action, throwUserError } from '../parts/action';
import { Icon } from '../parts/icon';
import type { IconName } from '../parts/icon';
import { Heading } from '../parts/page';
import { Loading } from '../parts/states';
import { href, navigate } from '../router';
import { Overview } from './overview';
import type { ComponentChildren } from 'preact';

/** Creates a workflow against an echo of the service, runs it, and opens the run. */
async function tryExample(): Promise<void> {
  const { exampleWorkflowCreate } = await request(CreateExampleDocument, {});
  throwUserError(exampleWorkflowCreate.userErrors);
  const id = String(exampleWorkflowCreate.workflow?.databaseId);
  const { workflowRun } = await request(RunWorkflowDocument, { id, logging: true });
  throwUserError(workflowRun.userErrors);
  navigate(href(`runs/${workflowRun.run?.databaseId}`));
}

function StartCard({
  icon,
  title,
  text,
  children,
}: {
  icon: IconName;
  title: string;
  text: string;
  children: ComponentChildren;
}) {
  return (
    <section class="card start-card">
      <Icon name={icon} size={28} />
      <h2>{title}</h2>
      <p class="quiet">{text}</p>
      {children}
    </section>
  );
}

/** What a new user can begin with. */
function StartPage() {
  return (
    <>
      <Heading title="Start" />
      <p class="lead">
        A workflow calls other systems: when a schedule is due, when a webhook is called, or when
        you run it.
      </p>
      <div class="start-cards">
        <StartCard
          icon="plus"
          title="Make a workflow"
          text="Add steps, try each with real answers, and run it on a schedule."
        >
          <NewWorkflowButton />
        </StartCard>
        <StartCard
          icon="play"
          title="Try an example"
          text="A workflow that reads tickets and sends each open one on, against the service itself. It runs at once."
        >
          <Action icon="play" text="Try the example" run={tryExample} />
        </StartCard>
        <StartCard
          icon="copy"
          title="Import"
          text="A workflow, a template or an invoker from a file."
        >
          <a class="button" href={href('import')}>
            Import
          </a>
        </StartCard>
      </div>
    </>
  );
}

/** The overview, or the start page as long as there is no workflow. */
export function Home() {
  const canStart =
    hasPermission.value('CONNECTION:CREATE') && hasPermission.value('CONNECTION:READ');
  return canStart ? <StartOrOverview /> : <Overview />;
}

function StartOrOverview() {
  const { data, failure } = useQuery(WorkflowCountDocument, {});
  if (data === null && failure === null) return <Loading name="the overview" rows={6} />;
  return data?.workflows.totalCount === 0 ? <StartPage /> : <Overview />;
}

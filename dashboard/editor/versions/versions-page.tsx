import { useMemo } from 'preact/hooks';
import { useQuery, useSubscription, useThrottle } from '../../api/hooks';
import { VersionedWorkflowDocument, WatchWorkflowsDocument } from '../../generated/operations';
import type { VersionedWorkflowQuery } from '../../generated/operations';
import { Heading, RecordPage } from '../../parts/page';
import { Time } from '../../parts/runs/times';
import { href, route } from '../../router';
import { Versions } from './version-list';

/** Minimum interval between reloads when the workflow changes often, ms. */
const RELOAD_INTERVAL_MS = 1_000;

/** The last run that succeeded, with a link to what has changed since. */
function LastSuccess({ id, runs }: { id: string } & Pick<VersionedWorkflowQuery, 'runs'>) {
  const [run] = runs.nodes;
  if (run === undefined) return <p class="lead">No run has succeeded yet.</p>;
  const { databaseId, queuedAt, workflowVersion: version } = run;
  return (
    <p class="lead">
      Last run that succeeded: <a href={href(`runs/${databaseId}`)}>Run {databaseId}</a>,{' '}
      <Time at={queuedAt} />
      {version === null ? (
        ', of a version that no longer exists.'
      ) : version.current ? (
        ', of the current version: nothing has changed since.'
      ) : (
        <>
          , of version {version.number}.{' '}
          <a href={href(`workflows/${id}/versions`, { from: version.snapshotId, to: 'current' })}>
            What has changed since
          </a>
        </>
      )}
    </p>
  );
}

/** The versions of a workflow: compare, name and restore. */
export function VersionsPage({ id }: { id: string }) {
  const query = useQuery(VersionedWorkflowDocument, { id });
  useSubscription(
    WatchWorkflowsDocument,
    useMemo(() => ({ filter: { id: { eq: id } } }), [id]),
    { onData: useThrottle(query.reload, RELOAD_INTERVAL_MS), onForbidden: query.reload },
  );
  const { from = null, to = null } = Object.fromEntries(route.value.query);
  return (
    <RecordPage
      title={`Versions of workflow ${id}`}
      name="workflow"
      query={query}
      recordOf={({ workflow }) => workflow}
      notFoundText="It may have been deleted."
    >
      {(workflow) => (
        <>
          <Heading title={`Versions of ${workflow.title}`}>
            <span class="heading-actions">
              <a class="button" href={href(`workflows/${id}`)}>
                Overview
              </a>
              <a class="button" href={href(`workflows/${id}/edit`)}>
                Edit
              </a>
            </span>
          </Heading>
          {query.data === null ? null : <LastSuccess id={id} runs={query.data.runs} />}
          <Versions id={id} workflow={workflow} sides={{ from, to }} onChange={query.reload} />
        </>
      )}
    </RecordPage>
  );
}

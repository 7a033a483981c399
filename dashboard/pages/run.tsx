import { useMemo } from 'preact/hooks';
import { useQuery, useSubscription } from '../api/hooks';
import type { QueryResult } from '../api/hooks';
import { RunDocument, WatchRelativesDocument, WatchRunsDocument } from '../generated/operations';
import type { RunQuery, RunTrigger, WatchRunsSubscription } from '../generated/operations';
import { formatJson, formatNumber } from '../parts/format';
import { Card, Fact, Heading, RecordPage } from '../parts/page';
import { RunActions } from '../parts/runs/run-actions';
import { hasEnded, RunStateLabel } from '../parts/runs/run-state';
import { Time } from '../parts/runs/times';
import { href, route } from '../router';
import { parseIterations } from '../run/iterations';
import { RunFailure } from '../run/run-failure';
import type { EngineMessage } from '../run/run-results';
import { RunSteps } from '../run/run-steps';
import { RunSummary } from '../run/run-summary';
import { LoadEvents } from '../run/unloaded-events';
import { useRunView } from '../run/use-run-view';
import type { UnloadedMessages } from '../run/use-run-view';

type Run = NonNullable<RunQuery['run']>;
type ChangedRun = WatchRunsSubscription['runsChanged']['changed'][number];

/** Triggers of the runs that another run starts. */
const FOLLOW_UP_TRIGGERS: RunTrigger[] = ['RETRY', 'ERROR'];

const withChanges = (run: Run, changed: ChangedRun): Run => ({
  ...run,
  ...changed,
  // The permissions are not part of the event.
  workflow: changed.workflow === null ? null : run.workflow,
  error:
    changed.error === null
      ? null
      : {
          stepId: null,
          loopIndex: null,
          attempt: 1,
          remedy: null,
          ...run.error,
          ...changed.error,
        },
});

/** A run that is updated by a subscription. */
function useRun(id: string): QueryResult<RunQuery> {
  const query = useQuery(RunDocument, { id });
  const { reload, update } = query;
  useSubscription(
    WatchRunsDocument,
    useMemo(() => ({ filter: { id: { eq: id } }, includeTest: true }), [id]),
    {
      onData({
        runsChanged: {
          changed: [changed],
        },
      }) {
        if (changed !== undefined)
          update(({ run }) => ({ run: run === null ? null : withChanges(run, changed) }));
        if (changed === undefined || hasEnded(changed.state)) reload();
      },
      onForbidden: reload,
    },
  );
  return query;
}

/** Renders nothing. Watches the retries and the error run of an ended run. */
function FollowUpRuns({
  run: { databaseId, queuedAt },
  onChange,
}: {
  run: Run;
  onChange: () => void;
}) {
  useSubscription(
    WatchRelativesDocument,
    { filter: { trigger: { in: FOLLOW_UP_TRIGGERS }, queuedAt: { gte: queuedAt } } },
    {
      onData({ runsChanged: { changed, removedIds } }) {
        const isFirstEvent = changed.length === 0 && removedIds.length === 0;
        const isFollowUp = changed.some(
          ({ retryOf, errorOf }) =>
            retryOf?.databaseId === databaseId || errorOf?.databaseId === databaseId,
        );
        if (isFirstEvent || isFollowUp) onChange();
      },
    },
  );
  return null;
}

function EngineMessages({
  messages,
  unloaded,
}: {
  messages: readonly EngineMessage[];
  unloaded: UnloadedMessages | null;
}) {
  if (messages.length === 0 && unloaded === null) return null;
  return (
    <Card
      title="Engine messages"
      aside={
        unloaded === null ? undefined : <LoadEvents unloaded={unloaded} text="Load messages" />
      }
    >
      {messages.length > 0 || unloaded === null ? null : (
        <p class="quiet">
          {unloaded.isLoaded
            ? 'None.'
            : `They are among the ${formatNumber(unloaded.events)} events of this run, which were not read.`}
        </p>
      )}
      {messages.length === 0 ? null : (
        <ul class="notes">
          {messages.map(({ sequence, at, level, message, index }) => (
            <li key={sequence}>
              <span class="quiet">
                <Time at={at} form="exact" />
              </span>{' '}
              {level === 'WARN' ? <b class="warn">Warning</b> : null}{' '}
              {index === null ? null : <span class="quiet num">step {index}</span>}{' '}
              <bdi dir="ltr">{message}</bdi>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Values({ run: { values } }: { run: Run }) {
  if (values.length === 0) return null;
  return (
    <Card title="Values">
      <dl class="facts">
        {values.map(({ argumentId, index, name, value }) => (
          <Fact key={`${index} ${argumentId}`} name={name}>
            <code>{formatJson(value)}</code>
          </Fact>
        ))}
      </dl>
    </Card>
  );
}

function RunHeading({ run }: { run: Run }) {
  return (
    <Heading title={`Run ${run.databaseId}`}>
      <RunStateLabel state={run.state} />
      {run.test ? <span class="tag">test</span> : null}
      {run.logging ? <span class="tag">with logging</span> : null}
      <span class="heading-actions">
        {run.workflow !== null && hasEnded(run.state) ? (
          <a class="button" href={href(`runs/${run.databaseId}/compare`)}>
            Compare with the last success
          </a>
        ) : null}
        <RunActions run={run} opensRetry hasLoggedRetry={!run.logging && !run.test} />
      </span>
    </Heading>
  );
}

export function RunPage({ id }: { id: string }) {
  const query = useRun(id);
  const selected = parseIterations(route.value.query.get('turns'));
  const view = useRunView(id, query.data?.run ?? null, selected, query.reload);
  return (
    <RecordPage
      title={`Run ${id}`}
      name="run"
      query={query}
      recordOf={({ run }) => run}
      notFoundText="It may have been deleted after its retention period. Test runs are visible only to the user who started them."
    >
      {(run) => (
        <>
          <RunHeading run={run} />
          <RunFailure run={run} />
          <RunSummary run={run} />
          {hasEnded(run.state) ? <FollowUpRuns run={run} onChange={query.reload} /> : null}
          <RunSteps run={run} view={view} />
          <Values run={run} />
          <EngineMessages messages={view.messages} unloaded={view.unloaded} />
        </>
      )}
    </RecordPage>
  );
}

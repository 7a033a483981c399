import { useEffect, useState } from 'preact/hooks';
import { toFailure } from '../api/failure';
import type { Failure } from '../api/failure';
import { useQuery } from '../api/hooks';
import {
  ComparedRunsDocument,
  LastSuccessDocument,
  RunsToCompareDocument,
  RunToCompareDocument,
} from '../generated/operations';
import type { ComparedRunFragment, RunToCompareQuery } from '../generated/operations';
import { Select } from '../parts/fields';
import { formatConstant, formatDayTime } from '../parts/format';
import { FilterBar } from '../parts/list-page';
import { Heading, RecordPage } from '../parts/page';
import { EmptyState, ErrorState, Loading, QueryContent } from '../parts/states';
import { href, navigate, route } from '../router';
import { compareRuns } from '../run/compare-runs';
import type { Comparison } from '../run/compare-runs';
import { DifferenceCard, DurationsCard, RunsCard } from '../run/comparison-cards';

const addressOf = (id: string, otherId: string | number): string =>
  href(`runs/${id}/compare/${otherId}`);

function useComparison(run: ComparedRunFragment, other: ComparedRunFragment) {
  const [comparison, setComparison] = useState<Comparison | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    setFailure(null);
    compareRuns(run, other, controller.signal).then(setComparison, (error: unknown) => {
      if (!controller.signal.aborted) setFailure(toFailure(error));
    });
    return () => controller.abort();
  }, [run, other, attempt]);
  return { comparison, failure, reload: () => setAttempt((count) => count + 1) };
}

function Compared({ run, other }: { run: ComparedRunFragment; other: ComparedRunFragment }) {
  const { comparison, failure, reload } = useComparison(run, other);
  return (
    <>
      <RunsCard run={run} other={other} />
      {failure !== null ? (
        <ErrorState failure={failure} retry={reload} name="steps of both runs" />
      ) : comparison === null ? (
        <Loading name="the steps of both runs" rows={6} />
      ) : (
        <>
          <DifferenceCard comparison={comparison} />
          <DurationsCard comparison={comparison} />
        </>
      )}
    </>
  );
}

/** Selects the other run among the newest of the same workflow. */
function OtherRunField({
  id,
  workflowId,
  otherId,
}: {
  id: string;
  workflowId: number;
  otherId: string;
}) {
  const { data } = useQuery(RunsToCompareDocument, {
    filter: { workflow: { eq: String(workflowId) } },
  });
  const runs = (data?.runs.nodes ?? []).filter(({ databaseId }) => String(databaseId) !== id);
  const options = runs.map(({ databaseId, state, queuedAt }) => ({
    value: String(databaseId),
    text: `#${databaseId} ${formatConstant(state)}, ${formatDayTime(queuedAt)}`,
  }));
  const isListed = options.some(({ value }) => value === otherId);
  return (
    <FilterBar label="Choose the other run">
      <Select
        label="Compare with"
        value={otherId}
        options={
          isListed
            ? options
            : [
                { value: otherId, text: otherId === '' ? 'Choose a run' : `#${otherId}` },
                ...options,
              ]
        }
        onChange={(value) => navigate(addressOf(id, value))}
      />
    </FilterBar>
  );
}

function ChosenRuns({ id, otherId }: { id: string; otherId: string }) {
  const query = useQuery(ComparedRunsDocument, { id, otherId });
  return (
    <RecordPage
      title={`Run ${id}`}
      name="run"
      query={query}
      recordOf={({ run, other }) => (run && other ? { run, other } : null)}
      notFoundText="One of the two runs does not exist. It may have been deleted after its retention period."
    >
      {({ run, other }) => (
        <>
          <Heading title={`Run ${id} and run ${otherId}`} />
          {run.workflow === null ? null : (
            <OtherRunField id={id} otherId={otherId} workflowId={run.workflow.databaseId} />
          )}
          <Compared run={run} other={other} />
        </>
      )}
    </RecordPage>
  );
}

type Workflow = NonNullable<NonNullable<RunToCompareQuery['run']>['workflow']>;

/** Opens the comparison with the last success before a run, or else with the newest one. */
function LastSuccess({
  run: { databaseId, queuedAt },
  workflow,
}: {
  run: NonNullable<RunToCompareQuery['run']>;
  workflow: Workflow;
}) {
  const succeeded = {
    workflow: { eq: String(workflow.databaseId) },
    state: { eq: 'SUCCEEDED' as const },
  };
  const query = useQuery(LastSuccessDocument, {
    before: { ...succeeded, queuedAt: { lte: queuedAt } },
    any: succeeded,
  });
  const others = [...(query.data?.before.nodes ?? []), ...(query.data?.any.nodes ?? [])];
  const other = others.find((each) => each.databaseId !== databaseId);
  useEffect(() => {
    if (other !== undefined)
      navigate(addressOf(String(databaseId), other.databaseId), { replace: true });
  }, [other?.databaseId]);
  return (
    <QueryContent query={query} name="runs" rows={4}>
      {() =>
        other === undefined ? (
          <>
            <OtherRunField id={String(databaseId)} otherId="" workflowId={workflow.databaseId} />
            <EmptyState icon="empty" title="No success to compare with">
              No other run of this workflow has succeeded. Choose any run above.
            </EmptyState>
          </>
        ) : null
      }
    </QueryContent>
  );
}

function UnchosenRun({ id }: { id: string }) {
  const query = useQuery(RunToCompareDocument, { id });
  return (
    <RecordPage
      title={`Run ${id}`}
      name="run"
      query={query}
      recordOf={({ run }) => run}
      notFoundText="It may have been deleted after its retention period."
    >
      {(run) => (
        <>
          <Heading title={`Compare run ${id}`} />
          {run.workflow === null ? (
            <EmptyState icon="empty" title="The workflow of this run was deleted" />
          ) : (
            <LastSuccess run={run} workflow={run.workflow} />
          )}
        </>
      )}
    </RecordPage>
  );
}

/** Two runs side by side: a run, and another one or the last that succeeded. */
export function ComparePage({ id }: { id: string }) {
  const otherId = route.value.path.split('/')[3];
  return otherId === undefined ? <UnchosenRun id={id} /> : <ChosenRuns id={id} otherId={otherId} />;
}

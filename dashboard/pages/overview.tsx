import type { ComponentChildren } from 'preact';
import { useQuery, useSubscription } from '../api/hooks';
import type { QueryResult } from '../api/hooks';
import { hasPermission } from '../current-user';
import { OverviewDocument, WatchOverviewDocument } from '../generated/operations';
import type { OverviewQuery, RunsQuery, RunState } from '../generated/operations';
import { DayChart } from '../parts/day-chart';
import { SegmentedControl } from '../parts/fields';
import { formatNumber, formatQuantity } from '../parts/format';
import { Card, Heading } from '../parts/page';
import { hasEnded, isFailure, RUN_STATES } from '../parts/runs/run-state';
import { RunTable } from '../parts/runs/run-table';
import { AccessDenied, EmptyState, QueryContent } from '../parts/states';
import { useLiveRuns } from '../parts/runs/use-live-runs';
import { href, route, setQuery } from '../router';
import { OverviewHealth } from './overview-health';

type Day = OverviewQuery['executionsTimeline'][number];

const PERIODS = ['7', '14', '30', '90'];
const DEFAULT_PERIOD = '14';
const ACTIVE = RUN_STATES.filter((state) => !hasEnded(state));
const FAILED = RUN_STATES.filter(isFailure);
const ENDED = RUN_STATES.filter(hasEnded);
/** Constant, so that the lists are not requested again. */
const ACTIVE_RUNS = { filter: { state: { in: ACTIVE } }, includeTest: false, size: 10 };
const FAILED_RUNS = { filter: { state: { in: FAILED } }, includeTest: false, size: 8 };

/** Without this permission the links are hidden. */
const canReadRuns = (): boolean => hasPermission.value('CONNECTION:READ');

/** Links to the runs that are counted for a day. */
const runsOf = ({ startsAt, endsAt }: Day, states: readonly RunState[]): string =>
  href('runs', { state: states.join(), started: `${startsAt}/${endsAt}` });

function Figure({
  name,
  value,
  isBad = false,
  to,
}: {
  name: string;
  value: string;
  isBad?: boolean;
  to?: string | undefined;
}) {
  const body = (
    <>
      <span class="figure-name">{name}</span>
      <span class={isBad ? 'figure-value bad' : 'figure-value'}>{value}</span>
    </>
  );
  return to === undefined ? (
    <div class="figure">{body}</div>
  ) : (
    <a class="figure" href={to}>
      {body}
    </a>
  );
}

/** Rounds, but shows 0 % and 100 % only for exact values. */
function formatPercent(value: number): string {
  if (value === 0 || value === 100) return `${value} %`;
  if (value < 0.1) return '< 0.1 %';
  return value > 99.9 ? '> 99.9 %' : `${value.toFixed(1)} %`;
}

function Figures({ data, activeRuns }: { data: OverviewQuery | null; activeRuns: number | null }) {
  const days = data?.executionsTimeline ?? [];
  const today = days.at(-1);
  const total = days.reduce((sum, { executions }) => sum + executions, 0);
  const failed = days.reduce((sum, { failures }) => sum + failures, 0);
  const todaysRuns = (states: readonly RunState[]): string | undefined =>
    today !== undefined && canReadRuns() ? runsOf(today, states) : undefined;
  const format = (value: number | null | undefined): string =>
    value == null ? '–' : formatNumber(value);
  return (
    <div class="figures">
      <Figure
        name="Running and queued"
        value={format(activeRuns)}
        to={canReadRuns() ? href('runs', { state: ACTIVE.join() }) : undefined}
      />
      <Figure name="Completed today" value={format(today?.executions)} to={todaysRuns(ENDED)} />
      <Figure
        name="Failed today"
        value={format(today?.failures)}
        isBad={(today?.failures ?? 0) > 0}
        to={todaysRuns(FAILED)}
      />
      <Figure
        name={days.length === 0 ? 'Success rate' : `Success rate, ${days.length} days`}
        value={total === 0 ? '–' : formatPercent(100 - (failed / total) * 100)}
      />
    </div>
  );
}

function TopWorkflows({ workflows }: { workflows: OverviewQuery['topWorkflows'] }) {
  const most = Math.max(1, ...workflows.map(({ executions }) => executions));
  return (
    <ol class="top-list">
      {workflows.map(({ workflowId, title, executions, failureRate, workflow }) => (
        <li key={workflowId}>
          {workflow ? (
            <a href={href(`workflows/${workflow.databaseId}`)} title={title}>
              <bdi>{title}</bdi>
            </a>
          ) : (
            <b title={title}>
              <bdi>{title}</bdi>
            </b>
          )}
          <span class="num">{formatNumber(executions)}</span>
          <progress
            class="share"
            max={most}
            value={executions}
            aria-label={`${formatNumber(executions)} of at most ${formatQuantity(most, 'run', 'runs')}`}
          />
          <span class={failureRate > 0 ? 'bad num' : 'quiet num'}>
            {failureRate > 0 ? `${formatPercent(failureRate)} failed` : 'none failed'}
          </span>
        </li>
      ))}
    </ol>
  );
}

function RunsPerDay({ days }: { days: readonly Day[] }) {
  return (
    <>
      <p class="key">
        <span>
          <i class="key-good" />
          Completed runs by start date
        </span>
        <span>
          <i class="key-bad" />
          Failed or interrupted
        </span>
      </p>
      <DayChart
        days={days}
        label={`Runs of the last ${days.length} days`}
        hrefOf={canReadRuns() ? (day) => runsOf(day, ENDED) : null}
      />
    </>
  );
}

function PeriodControl({ period }: { period: string }) {
  return (
    <SegmentedControl
      label="Period"
      value={period}
      options={PERIODS.map((value) => ({ value, text: `${value} d` }))}
      onChange={(value) =>
        setQuery({ days: value === DEFAULT_PERIOD ? null : value }, { replace: true })
      }
    />
  );
}

function RunsCard({
  title,
  states,
  query,
  empty,
}: {
  title: string;
  states: readonly RunState[];
  query: QueryResult<RunsQuery>;
  empty: ComponentChildren;
}) {
  return (
    <Card
      title={title}
      aside={canReadRuns() ? <a href={href('runs', { state: states.join() })}>All</a> : null}
    >
      <QueryContent
        query={query}
        name="runs"
        rows={3}
        isEmpty={({ runs }) => runs.totalCount === 0}
        empty={canReadRuns() ? empty : <AccessDenied name="runs" />}
      >
        {({ runs }) => <RunTable runs={runs.nodes} label={title} isCompact />}
      </QueryContent>
    </Card>
  );
}

function useStatistics(days: number): QueryResult<OverviewQuery> {
  const query = useQuery(OverviewDocument, { days });
  useSubscription(
    WatchOverviewDocument,
    { days },
    {
      onData: ({ dashboard: { timeline, topWorkflows } }) =>
        query.update(() => ({ executionsTimeline: timeline, topWorkflows })),
      onForbidden: query.reload,
    },
  );
  return query;
}

export function Overview() {
  const days = route.value.query.get('days') ?? DEFAULT_PERIOD;
  const period = PERIODS.includes(days) ? days : DEFAULT_PERIOD;
  const statistics = useStatistics(Number(period));
  const active = useLiveRuns(ACTIVE_RUNS);
  const failed = useLiveRuns(FAILED_RUNS);
  const activeRuns = canReadRuns() ? (active.data?.runs.totalCount ?? null) : null;
  return (
    <>
      <Heading title="Overview" />
      <Figures data={statistics.data} activeRuns={activeRuns} />
      <OverviewHealth changes={active.data} />
      <div class="halves">
        <Card title="Runs per day" aside={<PeriodControl period={period} />} kind="wide-card">
          <QueryContent query={statistics} name="run statistics" rows={6}>
            {({ executionsTimeline }) => <RunsPerDay days={executionsTimeline} />}
          </QueryContent>
        </Card>
        <Card title="Busiest workflows">
          <QueryContent
            query={statistics}
            name="the busiest workflows"
            rows={6}
            isEmpty={({ topWorkflows }) => topWorkflows.length === 0}
            empty={<EmptyState icon="empty" title="No runs yet" />}
          >
            {({ topWorkflows }) => <TopWorkflows workflows={topWorkflows} />}
          </QueryContent>
        </Card>
        <RunsCard
          title="Running"
          states={ACTIVE}
          query={active}
          empty={
            <EmptyState icon="clock" title="No active runs">
              New runs appear here as soon as they are queued.
            </EmptyState>
          }
        />
        <RunsCard
          title="Recent failures"
          states={FAILED}
          query={failed}
          empty={<EmptyState icon="check" title="No failures" />}
        />
      </div>
    </>
  );
}

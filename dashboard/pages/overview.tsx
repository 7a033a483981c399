import type { ComponentChildren } from 'preact';
import { useAsked, useFollowed } from '../api/hooks';
import { OverviewDocument, WatchOverviewDocument } from '../generated/operations';
import type { OverviewQuery, RunState } from '../generated/operations';
import { Blank, Listed, NotForYou } from '../parts/blank';
import { Segments } from '../parts/choice';
import { DayChart } from '../parts/day-chart';
import { count, counted } from '../parts/format';
import { may } from '../me';
import { useLiveRuns } from '../parts/live-runs';
import { Card, Heading } from '../parts/page';
import { RunTable } from '../parts/run-table';
import { hasEnded, isFailure, RUN_STATES } from '../parts/state';
import { href, look, place } from '../place';

const PERIODS = ['7', '14', '30', '90'];
const USUAL_PERIOD = '14';
const GOING_ON = RUN_STATES.filter((state) => !hasEnded(state));
const WENT_WRONG = RUN_STATES.filter(isFailure);
const OVER = RUN_STATES.filter(hasEnded);
/** Constant, so that the lists are not requested again. */
const RUNNING = { filter: { state: { in: GOING_ON } }, includeTest: false, size: 10 };
const FAILED = { filter: { state: { in: WENT_WRONG } }, includeTest: false, size: 8 };

/** Without this right the links are hidden. */
const readsRuns = (): boolean => may.value('CONNECTION:READ');
const all = (states: readonly RunState[]): ComponentChildren =>
  readsRuns() ? <a href={href('runs', { state: states.join() })}>All</a> : null;

/** Links to the runs that are counted for a day. */
function runsOf(
  { startsAt, endsAt }: OverviewQuery['executionsTimeline'][number],
  states: readonly RunState[],
): string {
  return href('runs', { state: states.join(), started: `${startsAt}/${endsAt}` });
}

function Figure({
  name,
  value,
  bad = false,
  to,
}: {
  name: string;
  value: ComponentChildren;
  bad?: boolean;
  to?: string | undefined;
}) {
  const body = (
    <>
      <span class="figure-name">{name}</span>
      <span class={bad ? 'figure-value bad' : 'figure-value'}>{value}</span>
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
function percent(value: number): string {
  if (value === 0 || value === 100) return `${value} %`;
  if (value < 0.1) return '< 0.1 %';
  return value > 99.9 ? '> 99.9 %' : `${value.toFixed(1)} %`;
}

function Figures({ data, going }: { data: OverviewQuery | null; going: number | null }) {
  const days = data?.executionsTimeline ?? [];
  const today = days.at(-1);
  const all = days.reduce((sum, { executions }) => sum + executions, 0);
  const failed = days.reduce((sum, { failures }) => sum + failures, 0);
  const ofToday = (states: readonly RunState[]): string | undefined =>
    today !== undefined && readsRuns() ? runsOf(today, states) : undefined;
  const shown = (value: number | undefined): string => (value === undefined ? '–' : count(value));
  return (
    <div class="figures">
      <Figure
        name="Running and queued"
        value={going === null ? '–' : count(going)}
        to={readsRuns() ? href('runs', { state: GOING_ON.join() }) : undefined}
      />
      <Figure name="Completed today" value={shown(today?.executions)} to={ofToday(OVER)} />
      <Figure
        name="Failed today"
        value={shown(today?.failures)}
        bad={(today?.failures ?? 0) > 0}
        to={ofToday(WENT_WRONG)}
      />
      <Figure
        name={days.length === 0 ? 'Success rate' : `Success rate, ${days.length} days`}
        value={all === 0 ? '–' : percent(100 - (failed / all) * 100)}
      />
    </div>
  );
}

function Top({ workflows }: { workflows: OverviewQuery['topWorkflows'] }) {
  const most = Math.max(1, ...workflows.map(({ executions }) => executions));
  return (
    <ol class="top-list">
      {workflows.map(({ connectionId, title, executions, failureRate }) => (
        <li key={connectionId}>
          {readsRuns() ? (
            <a href={href(`workflows/${connectionId}`)} title={title}>
              <bdi>{title}</bdi>
            </a>
          ) : (
            <b title={title}>
              <bdi>{title}</bdi>
            </b>
          )}
          <span class="num">{count(executions)}</span>
          <progress
            class="share"
            max={most}
            value={executions}
            aria-label={`${count(executions)} of at most ${counted(most, 'run', 'runs')}`}
          />
          <span class={failureRate > 0 ? 'bad num' : 'quiet num'}>
            {failureRate > 0 ? `${percent(failureRate)} failed` : 'none failed'}
          </span>
        </li>
      ))}
    </ol>
  );
}

export function Overview() {
  const asked = place.value.query.get('days') ?? USUAL_PERIOD;
  const period = PERIODS.includes(asked) ? asked : USUAL_PERIOD;
  const days = Number(period);
  const numbers = useAsked(OverviewDocument, { days });
  useFollowed(
    WatchOverviewDocument,
    { days },
    {
      next: ({ dashboard: { timeline, topWorkflows } }) =>
        numbers.change(() => ({ executionsTimeline: timeline, topWorkflows })),
      refused: numbers.again,
    },
  );
  const running = useLiveRuns(RUNNING);
  const failed = useLiveRuns(FAILED);
  const choose = (
    <Segments
      label="Period"
      value={period}
      options={PERIODS.map((value) => ({ value, text: `${value} d` }))}
      choose={(value) => look({ days: value === USUAL_PERIOD ? null : value }, { replace: true })}
    />
  );
  return (
    <>
      <Heading title="Overview" />
      <Figures
        data={numbers.data}
        going={readsRuns() ? (running.data?.runs.totalCount ?? null) : null}
      />
      <div class="halves">
        <Card title="Runs per day" aside={choose} kind="wide-card">
          <Listed asked={numbers} what="Run statistics" rows={6} isEmpty={() => false} empty={null}>
            {({ executionsTimeline }) => (
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
                  days={executionsTimeline}
                  label={`Runs of the last ${days} days`}
                  to={readsRuns() ? (day) => runsOf(day, OVER) : null}
                />
              </>
            )}
          </Listed>
        </Card>
        <Card title="Busiest workflows">
          <Listed
            asked={numbers}
            what="The busiest workflows"
            rows={6}
            isEmpty={({ topWorkflows }) => topWorkflows.length === 0}
            empty={<Blank icon="empty" title="No runs yet" />}
          >
            {({ topWorkflows }) => <Top workflows={topWorkflows} />}
          </Listed>
        </Card>
        <Card title="Running" aside={all(GOING_ON)}>
          <Listed
            asked={running}
            what="Runs"
            rows={3}
            isEmpty={({ runs }) => runs.totalCount === 0}
            empty={
              readsRuns() ? (
                <Blank icon="clock" title="No active runs">
                  New runs appear here as soon as they are queued.
                </Blank>
              ) : (
                <NotForYou what="runs" />
              )
            }
          >
            {({ runs }) => <RunTable runs={runs.nodes} label="Running" brief />}
          </Listed>
        </Card>
        <Card title="Recent failures" aside={all(WENT_WRONG)}>
          <Listed
            asked={failed}
            what="Runs"
            rows={3}
            isEmpty={({ runs }) => runs.totalCount === 0}
            empty={
              readsRuns() ? <Blank icon="check" title="No failures" /> : <NotForYou what="runs" />
            }
          >
            {({ runs }) => <RunTable runs={runs.nodes} label="Recent failures" brief />}
          </Listed>
        </Card>
      </div>
    </>
  );
}

import { useQuery } from '../api/hooks';
import { RunErrorCode, ScheduleTitleDocument } from '../generated/operations';
import type { RunFilter, RunState, RunTrigger } from '../generated/operations';
import { Select } from '../parts/fields';
import { formatConstant, formatDayTime } from '../parts/format';
import { FilterBar, RemovableFilter, setFilters } from '../parts/list-page';
import { RUN_STATES } from '../parts/runs/run-state';
import { WorkflowSearch } from './workflow-search';

const TRIGGERS: readonly RunTrigger[] = ['MANUAL', 'SCHEDULE', 'WEBHOOK', 'RETRY', 'ERROR'];
const ERROR_CODES = Object.values(RunErrorCode).sort();
const HOUR_MS = 3_600_000;
const PERIODS: Readonly<Record<string, { readonly text: string; readonly ms: number }>> = {
  '1h': { text: 'Last hour', ms: HOUR_MS },
  '24h': { text: 'Last 24 hours', ms: 24 * HOUR_MS },
  '7d': { text: 'Last 7 days', ms: 168 * HOUR_MS },
  '30d': { text: 'Last 30 days', ms: 720 * HOUR_MS },
};
/** Periods start at a full minute, so that the same URL makes the same query for a while. */
const MINUTE_MS = 60_000;

/** The run filter from the URL. Invalid parts are ignored. */
export interface RunSelection {
  readonly states: readonly RunState[];
  readonly workflow: string | null;
  readonly schedule: string | null;
  readonly trigger: RunTrigger | null;
  readonly error: RunErrorCode | null;
  readonly period: string | null;
  /** Started at or after the first time and before the second. */
  readonly started: readonly [string, string] | null;
  readonly includeTests: boolean;
}

export const parseId = (text: string | null): string | null =>
  text !== null && /^\d{1,9}$/.test(text) ? text : null;

/** An ISO 8601 interval: `2026-05-03T22:00:00.000Z/2026-05-04T22:00:00.000Z`. */
const INTERVAL =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\/(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/;

function parseInterval(text: string | null): readonly [string, string] | null {
  const [, from = '', to = ''] = INTERVAL.exec(text ?? '') ?? [];
  return Number.isNaN(Date.parse(from)) || Number.isNaN(Date.parse(to)) ? null : [from, to];
}

/** Returns a period of the URL, or null if there is none. */
export const periodOf = (text: string | null): string | null =>
  text !== null && Object.hasOwn(PERIODS, text) ? text : null;

/** Returns the start of a period that ends now, or null for any time. */
export function periodStart(period: string | null, now: number): string | null {
  const periodMs = period === null ? null : (PERIODS[period]?.ms ?? null);
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  return periodMs === null ? null : new Date(minute - periodMs).toISOString();
}

export function parseRunSelection(query: URLSearchParams): RunSelection {
  const states = (query.get('state') ?? '').split(',');
  return {
    states: RUN_STATES.filter((state) => states.includes(state)),
    workflow: parseId(query.get('workflow')),
    schedule: parseId(query.get('schedule')),
    trigger: TRIGGERS.find((trigger) => trigger === query.get('trigger')) ?? null,
    error: ERROR_CODES.find((code) => code === query.get('error')) ?? null,
    period: periodOf(query.get('since')),
    started: parseInterval(query.get('started')),
    includeTests: query.get('tests') === '1',
  };
}

export function toRunFilter(
  { states, workflow, schedule, trigger, error, period, started }: RunSelection,
  now: number,
): RunFilter {
  const queuedFrom = periodStart(period, now);
  return {
    ...(states.length === 0 ? {} : { state: { in: [...states] } }),
    ...(workflow === null ? {} : { workflow: { eq: workflow } }),
    ...(schedule === null ? {} : { schedule: { eq: schedule } }),
    ...(trigger === null ? {} : { trigger: { eq: trigger } }),
    ...(error === null ? {} : { errorCode: { eq: error } }),
    ...(started === null
      ? {}
      : {
          startedAt: { gte: started[0], lte: new Date(Date.parse(started[1]) - 1).toISOString() },
        }),
    ...(queuedFrom === null ? {} : { queuedAt: { gte: queuedFrom } }),
  };
}

/** Shows the id if the user may not read schedules. */
function ScheduleFilter({ id }: { id: string }) {
  const { data } = useQuery(ScheduleTitleDocument, { id });
  const title = data?.schedule?.title ?? `#${id}`;
  return (
    <RemovableFilter name="schedule" label={`Schedule ${title}: show all schedules`}>
      Schedule <bdi>{title}</bdi>
    </RemovableFilter>
  );
}

/**
 * Shows start and end, because days of the service may differ from those of the user's time zone.
 */
function IntervalFilter({ interval: [from, to] }: { interval: readonly [string, string] }) {
  const text = `Started ${formatDayTime(from)} to ${formatDayTime(to)}`;
  return (
    <RemovableFilter name="started" label={`${text}: show any time`}>
      {text}
    </RemovableFilter>
  );
}

function StateFilter({ states }: { states: readonly RunState[] }) {
  const toggle = (toggled: RunState): void =>
    setFilters({
      state: RUN_STATES.filter((state) => states.includes(state) !== (state === toggled)).join(),
    });
  return (
    <fieldset class="chips">
      <legend class="unseen">State</legend>
      {RUN_STATES.map((state) => (
        <label key={state} class={`chip state-${state.toLowerCase()}`}>
          <input type="checkbox" checked={states.includes(state)} onChange={() => toggle(state)} />
          {formatConstant(state)}
        </label>
      ))}
    </fieldset>
  );
}

const ANY = { value: '', text: 'Any' };
const TRIGGER_OPTIONS = [ANY, ...TRIGGERS.map((value) => ({ value, text: formatConstant(value) }))];
const ERROR_OPTIONS = [ANY, ...ERROR_CODES.map((value) => ({ value, text: value }))];
export const PERIOD_OPTIONS = [
  { value: '', text: 'Any time' },
  ...Object.entries(PERIODS).map(([value, { text }]) => ({ value, text })),
];

const NO_FILTERS = {
  state: null,
  workflow: null,
  schedule: null,
  trigger: null,
  error: null,
  since: null,
  started: null,
  tests: null,
};

const isFiltered = ({ states, includeTests, ...others }: RunSelection): boolean =>
  states.length > 0 || includeTests || Object.values(others).some((value) => value !== null);

export function RunFilters({ selection }: { selection: RunSelection }) {
  const { states, workflow, schedule, trigger, error, period, started, includeTests } = selection;
  return (
    <FilterBar label="Filter runs">
      <StateFilter states={states} />
      {schedule === null ? null : <ScheduleFilter key={schedule} id={schedule} />}
      {started === null ? null : <IntervalFilter interval={started} />}
      <WorkflowSearch
        workflow={workflow}
        onSelect={(selected) => setFilters({ workflow: selected })}
      />
      <Select
        label="Started by"
        value={trigger ?? ''}
        options={TRIGGER_OPTIONS}
        onChange={(value) => setFilters({ trigger: value })}
      />
      <Select
        label="Error"
        value={error ?? ''}
        options={ERROR_OPTIONS}
        onChange={(value) => setFilters({ error: value })}
      />
      <Select
        label="Queued"
        value={period ?? ''}
        options={PERIOD_OPTIONS}
        onChange={(value) => setFilters({ since: value })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={includeTests}
          onChange={({ currentTarget }) =>
            setFilters({ tests: currentTarget.checked ? '1' : null })
          }
        />
        Include test runs
      </label>
      {isFiltered(selection) ? (
        <button type="button" class="button quiet-button" onClick={() => setFilters(NO_FILTERS)}>
          Clear filters
        </button>
      ) : null}
    </FilterBar>
  );
}

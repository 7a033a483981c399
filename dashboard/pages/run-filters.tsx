import type { ComponentChildren } from 'preact';
import { useAsked } from '../api/hooks';
import { RunErrorCode, ScheduleTitleDocument } from '../generated/operations';
import type { RunFilter, RunState, RunTrigger } from '../generated/operations';
import { Choice } from '../parts/choice';
import { dayTime, words } from '../parts/format';
import { Icon } from '../parts/icon';
import { RUN_STATES } from '../parts/state';
import { look } from '../place';
import { FindWorkflow } from './find-workflow';

const TRIGGERS: readonly RunTrigger[] = ['MANUAL', 'SCHEDULE', 'WEBHOOK', 'RETRY', 'ERROR'];
const CODES = Object.values(RunErrorCode).sort();
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
export interface RunQuestion {
  readonly states: readonly RunState[];
  readonly workflow: string | null;
  readonly schedule: string | null;
  readonly trigger: RunTrigger | null;
  readonly error: RunErrorCode | null;
  readonly since: string | null;
  /** Started at or after the first time and before the second. */
  readonly started: readonly [string, string] | null;
  readonly tests: boolean;
}

const number = (text: string | null): string | null =>
  text !== null && /^\d{1,9}$/.test(text) ? text : null;

/** An ISO 8601 interval: `2026-05-03T22:00:00.000Z/2026-05-04T22:00:00.000Z`. */
const INTERVAL =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\/(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/;

function intervalOf(text: string | null): readonly [string, string] | null {
  const [, from = '', to = ''] = INTERVAL.exec(text ?? '') ?? [];
  return Number.isNaN(Date.parse(from)) || Number.isNaN(Date.parse(to)) ? null : [from, to];
}

export function questionOf(query: URLSearchParams): RunQuestion {
  const states = (query.get('state') ?? '').split(',');
  const since = query.get('since');
  return {
    states: RUN_STATES.filter((state) => states.includes(state)),
    workflow: number(query.get('workflow')),
    schedule: number(query.get('schedule')),
    trigger: TRIGGERS.find((trigger) => trigger === query.get('trigger')) ?? null,
    error: CODES.find((code) => code === query.get('error')) ?? null,
    since: since !== null && Object.hasOwn(PERIODS, since) ? since : null,
    started: intervalOf(query.get('started')),
    tests: query.get('tests') === '1',
  };
}

export function filterOf(
  { states, workflow, schedule, trigger, error, since, started }: RunQuestion,
  now: number,
): RunFilter {
  const from = since === null ? null : (PERIODS[since]?.ms ?? null);
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
    ...(from === null
      ? {}
      : {
          queuedAt: { gte: new Date(Math.floor(now / MINUTE_MS) * MINUTE_MS - from).toISOString() },
        }),
  };
}

/** A new filter starts at its first page. */
const askFor = (changes: Readonly<Record<string, string | null>>): void =>
  look({ ...changes, after: null, before: null }, { replace: true });

const ANY = { value: '', text: 'Any' };

/** A filter that only links set. It can be removed here. */
function Taken({
  name,
  label,
  children,
}: {
  name: string;
  label: string;
  children: ComponentChildren;
}) {
  return (
    <button
      type="button"
      class="chip taken"
      aria-label={label}
      onClick={() => askFor({ [name]: null })}
    >
      <span>{children}</span>
      <Icon name="cross" size={12} />
    </button>
  );
}

/** Shows the id if the user may not read schedules. */
function OfSchedule({ id }: { id: string }) {
  const { data } = useAsked(ScheduleTitleDocument, { id });
  const title = data?.schedule?.title ?? `#${id}`;
  return (
    <Taken name="schedule" label={`Schedule ${title}: show all schedules`}>
      Schedule <bdi>{title}</bdi>
    </Taken>
  );
}

/**
 * Shows start and end, because days of the service may differ from those of the user's time zone.
 */
function StartedIn({ interval: [from, to] }: { interval: readonly [string, string] }) {
  const text = `Started ${dayTime(from)} to ${dayTime(to)}`;
  return (
    <Taken name="started" label={`${text}: show any time`}>
      {text}
    </Taken>
  );
}

export function RunFilters({ question }: { question: RunQuestion }) {
  const { states, workflow, schedule, trigger, error, since, started, tests } = question;
  const toggle = (state: RunState): void =>
    askFor({
      state: RUN_STATES.filter((each) => states.includes(each) !== (each === state)).join(),
    });
  const isFiltered =
    states.length > 0 ||
    workflow !== null ||
    schedule !== null ||
    trigger !== null ||
    error !== null ||
    since !== null ||
    started !== null ||
    tests;
  return (
    <div class="filters" role="search" aria-label="Filter runs">
      <fieldset class="chips">
        <legend class="unseen">State</legend>
        {RUN_STATES.map((state) => (
          <label key={state} class={`chip state-${state.toLowerCase()}`}>
            <input
              type="checkbox"
              checked={states.includes(state)}
              onChange={() => toggle(state)}
            />
            {words(state)}
          </label>
        ))}
      </fieldset>
      {schedule === null ? null : <OfSchedule key={schedule} id={schedule} />}
      {started === null ? null : <StartedIn interval={started} />}
      <FindWorkflow workflow={workflow} choose={(value) => askFor({ workflow: value })} />
      <Choice
        label="Started by"
        value={trigger ?? ''}
        options={[ANY, ...TRIGGERS.map((value) => ({ value, text: words(value) }))]}
        choose={(value) => askFor({ trigger: value })}
      />
      <Choice
        label="Error"
        value={error ?? ''}
        options={[ANY, ...CODES.map((value) => ({ value, text: value }))]}
        choose={(value) => askFor({ error: value })}
      />
      <Choice
        label="Queued"
        value={since ?? ''}
        options={[
          { value: '', text: 'Any time' },
          ...Object.entries(PERIODS).map(([value, { text }]) => ({ value, text })),
        ]}
        choose={(value) => askFor({ since: value })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={tests}
          onChange={({ currentTarget }) => askFor({ tests: currentTarget.checked ? '1' : null })}
        />
        Include test runs
      </label>
      {isFiltered ? (
        <button
          type="button"
          class="button quiet-button"
          onClick={() =>
            askFor({
              state: null,
              workflow: null,
              schedule: null,
              trigger: null,
              error: null,
              since: null,
              started: null,
              tests: null,
            })
          }
        >
          Clear filters
        </button>
      ) : null}
    </div>
  );
}

import { useEffect, useState } from 'preact/hooks';
import { ask } from '../api/ask';
import { asFailure } from '../api/failure';
import { useAsked, useFollowed, useSoon } from '../api/hooks';
import {
  EnableScheduleDocument,
  SchedulesDocument,
  SetOverlapPolicyDocument,
  StartScheduleDocument,
  WatchScheduledRunsDocument,
  WatchSchedulesDocument,
} from '../generated/operations';
import type { OverlapPolicy, ScheduleFilter, ScheduleRowFragment } from '../generated/operations';
import { may } from '../me';
import { Action, orThrow } from '../parts/action';
import { Blank, Listed } from '../parts/blank';
import { Button } from '../parts/button';
import { Choice, Find, Segments, wanted } from '../parts/choice';
import { fullTime, isolated } from '../parts/format';
import { LastRun } from '../parts/last-run';
import { tell } from '../parts/notices';
import { now } from '../parts/now';
import { Heading } from '../parts/page';
import { isFirstPage, pageOf } from '../parts/paged';
import { Pager } from '../parts/pager';
import { Distance, Time } from '../parts/times';
import { href, look, place } from '../place';

/** Minimum interval between reloads when many runs end at once, ms. */
const CHANGED_MS = 1_000;

/**
 * Reload interval while the next fire time is in the past, ms: the clock of the service may be
 * behind.
 */
const PAST_MS = 10_000;

interface Changing {
  readonly changed: (schedule: ScheduleRowFragment) => void;
  readonly again: () => void;
}

interface ChangeAnswer {
  readonly schedule: ScheduleRowFragment | null;
  readonly userErrors: readonly { readonly message: string }[];
}

/** Changes a schedule; the row shows the change when the service has confirmed it. */
function useChange({ changed, again }: Changing): {
  readonly busy: boolean;
  readonly change: (send: () => Promise<ChangeAnswer>) => Promise<void>;
} {
  const [busy, setBusy] = useState(false);
  const change = async (send: () => Promise<ChangeAnswer>): Promise<void> => {
    setBusy(true);
    try {
      const { schedule, userErrors } = await send();
      orThrow(userErrors);
      if (schedule) changed(schedule);
    } catch (error) {
      tell(asFailure(error).message, { isBad: true });
      // Another user may have changed it: read the current version.
      again();
    } finally {
      setBusy(false);
    }
  };
  return { busy, change };
}

const OVERLAPS: Readonly<Record<OverlapPolicy, string>> = {
  ALLOW: 'allow overlapping runs',
  SKIP: 'skip while running',
  QUEUE: 'queue while running',
};

function Overlap({ schedule, ...changing }: Changing & { schedule: ScheduleRowFragment }) {
  const { busy, change } = useChange(changing);
  const { databaseId, overlapPolicy, title, version, viewerCan } = schedule;
  if (!viewerCan.update) return <>{OVERLAPS[overlapPolicy]}</>;
  const choose = (chosen: OverlapPolicy): Promise<void> =>
    change(
      async () =>
        (
          await ask(SetOverlapPolicyDocument, {
            id: String(databaseId),
            overlapPolicy: chosen,
            expectedVersion: version,
          })
        ).scheduleUpdate,
    );
  return (
    <select
      value={overlapPolicy}
      disabled={busy}
      aria-label={`${title}: overlap policy`}
      onChange={({ currentTarget }) => void choose(currentTarget.value as OverlapPolicy)}
    >
      {Object.entries(OVERLAPS).map(([policy, text]) => (
        <option key={policy} value={policy} selected={policy === overlapPolicy}>
          {text}
        </option>
      ))}
    </select>
  );
}

function Switch({ schedule, ...changing }: Changing & { schedule: ScheduleRowFragment }) {
  const { busy, change } = useChange(changing);
  const { databaseId, enabled, title, version, viewerCan } = schedule;
  const turn = (): Promise<void> =>
    change(
      async () =>
        (
          await ask(EnableScheduleDocument, {
            id: String(databaseId),
            enabled: !enabled,
            expectedVersion: version,
          })
        ).scheduleEnable,
    );
  if (!viewerCan.update) return <span class="quiet">{enabled ? 'on' : 'off'}</span>;
  return (
    <Button
      role="switch"
      class="switch"
      aria-checked={enabled}
      aria-label={`${title} enabled`}
      off={busy}
      onClick={() => void turn()}
    >
      <i />
      <span aria-hidden="true">{enabled ? 'on' : 'off'}</span>
    </Button>
  );
}

function Fires({ schedule: { enabled, cron, nextFireTimes } }: { schedule: ScheduleRowFragment }) {
  const [next, ...later] = nextFireTimes;
  if (!enabled || next === undefined)
    return <span class="quiet">{cron === '' ? 'on demand' : 'not due'}</span>;
  return (
    <>
      <Distance at={next} />
      <details class="fires">
        <summary>
          <Time at={next} />
        </summary>
        <ol>
          {[next, ...later].map((at) => (
            <li key={at}>
              <time dateTime={at}>{fullTime(at)}</time>
            </li>
          ))}
        </ol>
      </details>
    </>
  );
}

function OfWorkflow({
  workflow: { databaseId, title },
}: {
  workflow: NonNullable<ScheduleRowFragment['workflow']>;
}) {
  return (
    <a href={href(`workflows/${databaseId}`)}>
      <bdi>{title}</bdi>
    </a>
  );
}

function Row({ schedule, changed, again }: Changing & { schedule: ScheduleRowFragment }) {
  const { databaseId, title, cron, timeZone, workflow, lastRun, logging, missedFires, viewerCan } =
    schedule;
  return (
    <tr>
      <td class="cell-switch">
        <Switch schedule={schedule} changed={changed} again={again} />
      </td>
      <td class="cell-main">
        <b>
          <bdi>{title}</bdi>
        </b>
        {logging ? <span class="tag">with logging</span> : null}
        <span class="line quiet">
          {cron === '' ? (
            'on demand'
          ) : (
            <>
              <code>{cron}</code> {timeZone}
              {missedFires === 'SKIP' ? ', missed runs are skipped' : ''},{' '}
              <Overlap schedule={schedule} changed={changed} again={again} />
            </>
          )}
        </span>
        <span class="only-narrow quiet">
          Next: <Fires schedule={schedule} />
        </span>
        {workflow ? (
          <span class="only-narrow quiet">
            Runs <OfWorkflow workflow={workflow} />
          </span>
        ) : null}
        {lastRun ? (
          <span class="only-narrow quiet">
            Last run: <Time at={lastRun.startedAt ?? lastRun.queuedAt} />
          </span>
        ) : null}
      </td>
      <td class="only-wide cell-title">
        {workflow ? <OfWorkflow workflow={workflow} /> : <span class="quiet">–</span>}
      </td>
      <td class="only-wide num cell-next">
        <Fires schedule={schedule} />
      </td>
      <td>
        <LastRun run={lastRun} of={title} />
      </td>
      <td class="cell-actions">
        {viewerCan.start ? (
          <Action
            icon="play"
            text="Start now"
            label={`Start now: ${title}`}
            quiet
            run={async () => {
              const { scheduleStart } = await ask(StartScheduleDocument, {
                id: String(databaseId),
              });
              orThrow(scheduleStart.userErrors);
              tell(`${isolated(title)} was started.`, {
                link: may.value('CONNECTION:READ')
                  ? { href: href(`runs/${scheduleStart.run?.databaseId}`), text: 'View run' }
                  : null,
              });
            }}
          />
        ) : null}
      </td>
    </tr>
  );
}

const ORDERS = [
  { value: '', text: 'Title' },
  { value: 'next', text: 'Next run' },
];
const KINDS = [
  { value: '', text: 'Any' },
  { value: 'on', text: 'On' },
  { value: 'off', text: 'Off' },
];

export function Schedules() {
  const { query } = place.value;
  const find = wanted(query.get('find'));
  const kind = query.get('enabled');
  const byNext = query.get('order') === 'next';
  const listed: ScheduleFilter = {
    ...(find === '' ? {} : { title: { contains: find } }),
    ...(kind === 'on' || kind === 'off' ? { enabled: { eq: kind === 'on' } } : {}),
  };
  // Schedules without a next time would sort first.
  const filter: ScheduleFilter = byNext ? { ...listed, nextFire: { isNull: false } } : listed;
  const asked = useAsked(SchedulesDocument, {
    filter,
    orderBy: { field: byNext ? 'NEXT_FIRE' : 'TITLE', direction: 'ASC' },
    ...pageOf(),
  });
  const again = useSoon(asked.again, CHANGED_MS);
  useFollowed(WatchSchedulesDocument, { filter: listed }, { next: again, refused: again });
  useFollowed(WatchScheduledRunsDocument, {}, { next: again });
  // Reload when the next time has passed.
  const nearest =
    asked.data?.schedules.nodes
      .map(({ enabled, nextFireTimes: [next] }) =>
        enabled && next !== undefined ? new Date(next).getTime() : Infinity,
      )
      .reduce((one, other) => Math.min(one, other), Infinity) ?? Infinity;
  const isPast = nearest < now.value;
  const turn = Math.floor(now.value / PAST_MS);
  useEffect(() => {
    if (isPast) again();
  }, [isPast, nearest, turn]);
  const changed = (schedule: ScheduleRowFragment): void =>
    asked.change((data) => ({
      schedules: {
        ...data.schedules,
        nodes: data.schedules.nodes.map((each) =>
          each.databaseId === schedule.databaseId ? schedule : each,
        ),
      },
    }));
  const askFor = (changes: Readonly<Record<string, string | null>>): void =>
    look({ ...changes, after: null, before: null }, { replace: true });
  const isAll = find === '' && kind === null;
  return (
    <>
      <Heading title="Schedules" />
      <div class="filters" role="search" aria-label="Filter schedules">
        <Find
          label="Title"
          value={query.get('find') ?? ''}
          find={(text) => askFor({ find: text })}
        />
        <Choice
          label="Status"
          value={kind ?? ''}
          options={KINDS}
          choose={(value) => askFor({ enabled: value })}
        />
        <Segments
          label="Order"
          value={byNext ? 'next' : ''}
          options={ORDERS}
          choose={(value) => askFor({ order: value })}
        />
        {byNext ? <span class="check quiet">Only schedules with a next run</span> : null}
      </div>
      <section class="card flush" aria-label="Schedules">
        <Listed
          asked={asked}
          what="Schedules"
          rows={8}
          isEmpty={({ schedules }) => schedules.nodes.length === 0}
          empty={
            <Blank icon="clock" title="No schedules">
              {byNext
                ? 'No schedule is due.'
                : isAll
                  ? 'Nothing has been created yet.'
                  : 'No results match the filters.'}
            </Blank>
          }
        >
          {({ schedules }) => (
            <>
              <table class="rows" aria-label="Schedules">
                <thead>
                  <tr>
                    <th scope="col" class="th-small">
                      Enabled
                    </th>
                    <th scope="col">Schedule</th>
                    <th scope="col" class="only-wide">
                      Workflow
                    </th>
                    <th scope="col" class="only-wide">
                      Next
                    </th>
                    <th scope="col">Last run</th>
                    <th scope="col">
                      <span class="unseen">Actions</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {schedules.nodes.map((schedule) => (
                    <Row
                      key={schedule.databaseId}
                      schedule={schedule}
                      changed={changed}
                      again={asked.again}
                    />
                  ))}
                </tbody>
              </table>
              <Pager
                info={schedules.pageInfo}
                total={schedules.totalCount}
                what={schedules.totalCount === 1 ? 'schedule' : 'schedules'}
                isFirst={isFirstPage()}
                ways={['Back', 'Next']}
              />
            </>
          )}
        </Listed>
      </section>
    </>
  );
}

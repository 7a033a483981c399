import { useEffect, useState } from 'preact/hooks';
import { ask } from '../api/ask';
import { asFailure } from '../api/failure';
import { useAsked, useFollowed, useSoon } from '../api/hooks';
import { EnableScheduleDocument, SchedulesDocument, StartScheduleDocument, WatchScheduledRunsDocument, WatchSchedulesDocument } from '../generated/operations';
import type { ScheduleFilter, ScheduleRowFragment } from '../generated/operations';
import { Action, orThrow } from '../parts/action';
import { Blank, Listed } from '../parts/blank';
import { Choice, Find, Segments } from '../parts/choice';
import { fullTime } from '../parts/format';
import { tell } from '../parts/notices';
import { now } from '../parts/now';
import { Heading } from '../parts/page';
import { isFirstPage, pageOf } from '../parts/paged';
import { Pager } from '../parts/pager';
import { State } from '../parts/state';
import { Distance, Time } from '../parts/times';
import { href, look, place } from '../place';

/** Many runs end at once; the list is read anew so often at most, ms. */
const CHANGED_MS = 1_000;

/** While a time is past that the service says is next, it is asked again this often, ms: its clock may be behind. */
const PAST_MS = 10_000;

interface Changing {
  readonly changed: (schedule: ScheduleRowFragment) => void;
  /** Reads what there is anew. */
  readonly again: () => void;
}

/** On and off. What a schedule is shows when the service has said so. */
function Switch({ schedule, changed, again }: Changing & { schedule: ScheduleRowFragment }) {
  const [busy, setBusy] = useState(false);
  const { databaseId, enabled, title, version, viewerCan } = schedule;
  const turn = async (): Promise<void> => {
    setBusy(true);
    try {
      const { scheduleEnable } = await ask(EnableScheduleDocument, { id: String(databaseId), enabled: !enabled, expectedVersion: version });
      orThrow(scheduleEnable.userErrors);
      if (scheduleEnable.schedule) changed(scheduleEnable.schedule);
    } catch (error) {
      tell(asFailure(error).message, { isBad: true });
      // Somebody else may have changed it: what it is now can be switched.
      again();
    } finally {
      setBusy(false);
    }
  };
  if (!viewerCan.update) return <span class="quiet">{enabled ? 'on' : 'off'}</span>;
  return <button type="button" role="switch" class="switch" aria-checked={enabled} aria-label={`${title} fires by itself`} disabled={busy} onClick={() => void turn()}><i /><span>{enabled ? 'on' : 'off'}</span></button>;
}

function Fires({ schedule: { enabled, cron, nextFireTimes } }: { schedule: ScheduleRowFragment }) {
  const [next, ...later] = nextFireTimes;
  if (!enabled || next === undefined) return <span class="quiet">{cron === '' ? 'never by itself' : 'not due'}</span>;
  return (
    <>
      <Distance at={next} />
      <details class="fires"><summary><Time at={next} /></summary><ol>{[next, ...later].map((at) => <li key={at}><time dateTime={at}>{fullTime(at)}</time></li>)}</ol></details>
    </>
  );
}

function Row({ schedule, changed, again }: Changing & { schedule: ScheduleRowFragment }) {
  const { databaseId, title, cron, timeZone, workflow, lastRun, logging, missedFires, viewerCan } = schedule;
  return (
    <tr>
      <td class="cell-switch"><Switch schedule={schedule} changed={changed} again={again} /></td>
      <td class="cell-main">
        <b>{title}</b>{logging ? <span class="tag">with log</span> : null}
        <span class="line quiet">{cron === '' ? 'on demand' : <><code>{cron}</code> {timeZone}{missedFires === 'SKIP' ? ', missed times are left out' : ''}</>}</span>
        <span class="only-narrow quiet">Next: <Fires schedule={schedule} /></span>
      </td>
      <td class="only-wide cell-title">{workflow ? <a href={href(`workflows/${workflow.databaseId}`)}>{workflow.title}</a> : <span class="quiet">–</span>}</td>
      <td class="only-wide num cell-next"><Fires schedule={schedule} /></td>
      <td>{lastRun ? <a class="plain" href={href(`runs/${lastRun.databaseId}`)} aria-label={`Last run of ${title}: ${lastRun.state.toLowerCase()}`}><State state={lastRun.state} /><span class="line quiet only-wide"><Time at={lastRun.startedAt ?? lastRun.queuedAt} /></span></a> : <span class="quiet nowrap">none yet</span>}</td>
      <td class="cell-actions">{viewerCan.start ? (
        <Action icon="play" text="Start now" label={`Start ${title} now`} quiet run={async () => {
          const { scheduleStart } = await ask(StartScheduleDocument, { id: String(databaseId) });
          orThrow(scheduleStart.userErrors);
          tell(`${title} was started.`, { link: { href: href(`runs/${scheduleStart.run?.databaseId}`), text: 'Follow it' } });
        }} />
      ) : null}</td>
    </tr>
  );
}

const ORDERS = [{ value: '', text: 'By title' }, { value: 'next', text: 'By next time' }];
const KINDS = [{ value: '', text: 'Any' }, { value: 'on', text: 'On' }, { value: 'off', text: 'Off' }];

/** What starts workflows by itself, and when next. */
export function Schedules() {
  const { query } = place.value;
  const find = (query.get('find') ?? '').trim();
  const kind = query.get('enabled');
  const byNext = query.get('order') === 'next';
  const filter: ScheduleFilter = {
    ...(find === '' ? {} : { title: { contains: find } }),
    ...(kind === 'on' || kind === 'off' ? { enabled: { eq: kind === 'on' } } : {}),
  };
  const asked = useAsked(SchedulesDocument, { filter, orderBy: { field: byNext ? 'NEXT_FIRE' : 'TITLE', direction: 'ASC' }, ...pageOf() });
  const again = useSoon(asked.again, CHANGED_MS);
  useFollowed(WatchSchedulesDocument, { filter }, { next: again, refused: again });
  useFollowed(WatchScheduledRunsDocument, {}, { next: again });
  // A time that has come is no next time any more.
  const nearest = asked.data?.schedules.nodes.map(({ enabled, nextFireTimes: [next] }) => (enabled && next !== undefined ? new Date(next).getTime() : Infinity)).reduce((one, other) => Math.min(one, other), Infinity) ?? Infinity;
  const isPast = nearest < now.value;
  const turn = Math.floor(now.value / PAST_MS);
  useEffect(() => { if (isPast) again(); }, [isPast, nearest, turn]);
  const changed = (schedule: ScheduleRowFragment): void => asked.change((data) => ({ schedules: { ...data.schedules, nodes: data.schedules.nodes.map((each) => (each.databaseId === schedule.databaseId ? schedule : each)) } }));
  const askFor = (changes: Readonly<Record<string, string | null>>): void => look({ ...changes, after: null, before: null }, { replace: true });
  const isAll = find === '' && kind === null;
  return (
    <>
      <Heading title="Schedules" />
      <div class="filters" role="search" aria-label="Which schedules">
        <Find label="Title" value={query.get('find') ?? ''} find={(text) => askFor({ find: text })} />
        <Choice label="Fires by itself" value={kind ?? ''} options={KINDS} choose={(value) => askFor({ enabled: value })} />
        <Segments label="Order" value={byNext ? 'next' : ''} options={ORDERS} choose={(value) => askFor({ order: value })} />
      </div>
      <section class="card flush" aria-label="Schedules">
        <Listed asked={asked} what="Schedules" rows={8} isEmpty={({ schedules }) => schedules.nodes.length === 0} empty={<Blank icon="clock" title="No schedules">{isAll ? 'None has been made yet.' : 'None is as you ask for.'}</Blank>}>
          {({ schedules }) => (
            <>
              <table class="rows" aria-label="Schedules">
                <thead><tr><th scope="col" class="th-small">By itself</th><th scope="col">Schedule</th><th scope="col" class="only-wide">Workflow</th><th scope="col" class="only-wide">Next</th><th scope="col">Last run</th><th scope="col"><span class="unseen">Actions</span></th></tr></thead>
                <tbody>{schedules.nodes.map((schedule) => <Row key={schedule.databaseId} schedule={schedule} changed={changed} again={asked.again} />)}</tbody>
              </table>
              <Pager info={schedules.pageInfo} total={schedules.totalCount} what={schedules.totalCount === 1 ? 'schedule' : 'schedules'} isFirst={isFirstPage()} ways={['Back', 'Next']} />
            </>
          )}
        </Listed>
      </section>
    </>
  );
}

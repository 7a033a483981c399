import { useQuery, useSubscription, useThrottle } from '../api/hooks';
import { request } from '../api/request';
import { ScheduleCard } from '../build/schedules/schedule-form';
import { WebhookCard } from '../build/schedules/webhook-card';
import { hasPermission } from '../current-user';
import {
  DeleteScheduleDocument,
  ScheduleDetailsDocument,
  WatchScheduledRunsDocument,
  WatchSchedulesDocument,
} from '../generated/operations';
import type { ScheduleRowFragment } from '../generated/operations';
import { NotificationCard } from '../notifications/notification-card';
import { Action, throwUserError } from '../parts/action';
import { isolateDirection } from '../parts/format';
import { LIST_RELOAD_INTERVAL_MS } from '../parts/list-page';
import { notify } from '../parts/notices';
import { Heading, RecordPage } from '../parts/page';
import { LastRuns, useLastRuns } from '../parts/runs/last-runs';
import { href, navigate } from '../router';
import { ScheduleTable } from './schedule-table';

async function remove({ databaseId, version, title }: ScheduleRowFragment): Promise<void> {
  const { scheduleDelete } = await request(DeleteScheduleDocument, {
    id: String(databaseId),
    expectedVersion: version,
  });
  throwUserError(scheduleDelete.userErrors);
  notify(`${isolateDirection(title)} was deleted.`);
  navigate(href('schedules'));
}

/** The last runs of the schedule, however it was started. */
const History = ({ id }: { id: string }) => (
  <LastRuns owner="schedule" id={id} runs={useLastRuns('schedule', id)} />
);

/** One schedule: times, settings, webhook, notifications and last runs. */
export function SchedulePage({ id }: { id: string }) {
  const query = useQuery(ScheduleDetailsDocument, { id });
  const reload = useThrottle(query.reload, LIST_RELOAD_INTERVAL_MS);
  useSubscription(
    WatchSchedulesDocument,
    { filter: { id: { eq: id } } },
    { onData: reload, onForbidden: reload },
  );
  useSubscription(WatchScheduledRunsDocument, {}, { onData: reload });
  return (
    <RecordPage
      title={`Schedule ${id}`}
      name="schedule"
      query={query}
      recordOf={({ schedule }) => schedule}
      notFoundText="It may have been deleted."
    >
      {(schedule) => (
        <>
          <Heading title={schedule.title}>
            <a href={href('schedules')}>All schedules</a>
            {schedule.viewerCan.delete ? (
              <Action
                icon="cross"
                text="Delete schedule"
                confirm={`Delete ${isolateDirection(schedule.title)}, its webhook and its notifications? Runs that it started continue.`}
                run={() => remove(schedule)}
              />
            ) : null}
          </Heading>
          <section class="card flush" aria-label="Schedule">
            <ScheduleTable
              schedules={[schedule]}
              onChange={query.reload}
              onFailure={query.reload}
            />
          </section>
          <ScheduleCard schedule={schedule} onChange={query.reload} />
          <WebhookCard schedule={schedule} onChange={query.reload} />
          <NotificationCard scheduleId={id} />
          {hasPermission.value('CONNECTION:READ') ? <History id={id} /> : null}
        </>
      )}
    </RecordPage>
  );
}

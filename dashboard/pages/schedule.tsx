import { useQuery, useSubscription, useThrottle } from '../api/hooks';
import {
  ScheduleDetailsDocument,
  WatchScheduledRunsDocument,
  WatchSchedulesDocument,
} from '../generated/operations';
import type { ScheduleWebhookFragment } from '../generated/operations';
import { hasPermission } from '../current-user';
import { NotificationCard } from '../notifications/notification-card';
import { LIST_RELOAD_INTERVAL_MS } from '../parts/list-page';
import { Card, Heading, RecordPage } from '../parts/page';
import { Time } from '../parts/runs/times';
import { href } from '../router';
import { ScheduleTable } from './schedule-table';

/** Who created the webhook of the schedule, and when it ends. */
function WebhookCard({ webhook }: Pick<ScheduleWebhookFragment, 'webhook'>) {
  if (!webhook) return null;
  const { apiToken, createdAt, createdBy } = webhook;
  return (
    <Card title="Webhook">
      <p>
        Created by <bdi>{createdBy.email}</bdi> on <Time at={createdAt} />
        {apiToken === null ? (
          '.'
        ) : (
          <>
            {' '}
            with the API token <bdi>{apiToken.name}</bdi>. It ends with the token, at the latest{' '}
            <Time at={apiToken.expiresAt} />.
          </>
        )}
      </p>
    </Card>
  );
}

/** One schedule: times, last run, and notifications. */
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
            {hasPermission.value('CONNECTION:READ') ? (
              <a href={href('runs', { schedule: schedule.databaseId })}>Runs</a>
            ) : null}
          </Heading>
          <section class="card flush" aria-label="Schedule">
            <ScheduleTable
              schedules={[schedule]}
              onChange={(changed) =>
                query.update(() => ({ schedule: { ...schedule, ...changed } }))
              }
              onFailure={query.reload}
            />
          </section>
          <WebhookCard webhook={schedule.webhook} />
          <NotificationCard scheduleId={id} />
        </>
      )}
    </RecordPage>
  );
}

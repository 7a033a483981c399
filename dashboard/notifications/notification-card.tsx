import { useQuery } from '../api/hooks';
import { request } from '../api/request';
import { currentUser, hasPermission } from '../current-user';
import {
  CreateNotificationDocument,
  DeleteNotificationDocument,
  LastMailDocument,
  ScheduleNotificationsDocument,
  UpdateNotificationDocument,
} from '../generated/operations';
import type { NotificationRowFragment } from '../generated/operations';
import { Action } from '../parts/action';
import { DataTable } from '../parts/data-table';
import type { Column } from '../parts/data-table';
import { isolateDirection } from '../parts/format';
import { throwUserErrors } from '../parts/form';
import { FormDialog } from '../parts/form-dialog';
import { notify } from '../parts/notices';
import { Card } from '../parts/page';
import { EmptyState, QueryContent } from '../parts/states';
import { href } from '../router';
import { CHANNELS, EVENTS } from './labels';
import { MailWarning } from './mail-warning';
import { fieldsOf, NotificationFields } from './notification-fields';

/** The path of a webhook is a secret, so a list shows only its origin. */
const shownRecipient = (recipient: string): string =>
  URL.canParse(recipient) ? new URL(recipient).origin : recipient;

async function remove({ databaseId, version }: NotificationRowFragment): Promise<void> {
  const { notificationDelete } = await request(DeleteNotificationDocument, {
    id: String(databaseId),
    expectedVersion: version,
  });
  throwUserErrors(notificationDelete.userErrors);
}

interface RowProps {
  readonly notification: NotificationRowFragment;
  readonly onChange: () => void;
}

function EditNotification({ notification, onChange }: RowProps) {
  const { databaseId, name, version } = notification;
  const save = async (values: FormData): Promise<void> => {
    const { notificationUpdate } = await request(UpdateNotificationDocument, {
      input: { id: String(databaseId), expectedVersion: version, ...fieldsOf(values) },
    });
    throwUserErrors(notificationUpdate.userErrors);
    onChange();
    notify('The notification was saved.');
  };
  return (
    <FormDialog
      icon="edit"
      text="Edit"
      label={`Edit notification ${name}`}
      isQuiet
      submitText="Save notification"
      submit={save}
    >
      <NotificationFields notification={notification} />
    </FormDialog>
  );
}

function RowActions({ notification, onChange }: RowProps) {
  return (
    <>
      <EditNotification notification={notification} onChange={onChange} />
      <Action
        icon="cross"
        text="Delete"
        label={`Delete notification ${notification.name}`}
        isQuiet
        confirm={`Delete the notification ${isolateDirection(notification.name)}?`}
        confirmText="Delete notification"
        run={async () => {
          await remove(notification);
          onChange();
        }}
      />
    </>
  );
}

function Recipients({ notification: { recipients } }: Pick<RowProps, 'notification'>) {
  if (recipients.length === 0) return <span class="quiet">default</span>;
  return <bdi class="recipients">{recipients.map(shownRecipient).join(', ')}</bdi>;
}

function TemplateLink({ notification: { template } }: Pick<RowProps, 'notification'>) {
  if (template === null) return <span class="quiet">deleted</span>;
  return (
    <>
      <a href={href(`notifications/templates/${template.databaseId}`)}>
        <bdi>{template.name}</bdi>
      </a>{' '}
      <span class="quiet">({CHANNELS[template.channel]})</span>
    </>
  );
}

const columnsOf = (
  canChange: boolean,
  onChange: () => void,
): readonly Column<NotificationRowFragment>[] => [
  {
    title: 'Notification',
    cellClass: 'cell-main',
    cell: (notification) => (
      <>
        <b>
          <bdi>{notification.name}</bdi>
        </b>
        <span class="line quiet">{EVENTS[notification.eventType]}</span>
        <span class="only-narrow quiet">
          To <Recipients notification={notification} />
        </span>
        <span class="only-narrow quiet">
          <TemplateLink notification={notification} />
        </span>
      </>
    ),
  },
  {
    title: 'Template',
    isWideOnly: true,
    cellClass: 'cell-title',
    cell: (notification) => <TemplateLink notification={notification} />,
  },
  {
    title: 'Recipients',
    isWideOnly: true,
    cell: (notification) => <Recipients notification={notification} />,
  },
  {
    title: 'Actions',
    isTitleHidden: true,
    cellClass: 'cell-actions',
    cell: (notification) =>
      canChange ? <RowActions notification={notification} onChange={onChange} /> : null,
  },
];

function CreateNotification({
  scheduleId,
  onChange,
}: {
  scheduleId: string;
  onChange: () => void;
}) {
  const create = async (values: FormData): Promise<void> => {
    const { notificationCreate } = await request(CreateNotificationDocument, {
      input: { scheduleId, ...fieldsOf(values) },
    });
    throwUserErrors(notificationCreate.userErrors);
    onChange();
  };
  return (
    <FormDialog
      icon="plus"
      text="New notification"
      submitText="Create notification"
      submit={create}
    >
      <NotificationFields />
    </FormDialog>
  );
}

/** Only administrators may read whether the last mail was sent. */
function LastMailWarning() {
  const { data } = useQuery(LastMailDocument, {});
  return <MailWarning mails={data} />;
}

/** The notifications of a schedule: create, edit and delete them. */
export function NotificationCard({ scheduleId }: { scheduleId: string }) {
  const query = useQuery(ScheduleNotificationsDocument, { id: scheduleId });
  const canChange = hasPermission.value('SCHEDULE:UPDATE');
  const notifications = query.data?.schedule?.notifications ?? [];
  const usesMail = notifications.some(({ template }) => template?.channel === 'EMAIL');
  return (
    <Card
      title="Notifications"
      aside={
        canChange ? <CreateNotification scheduleId={scheduleId} onChange={query.reload} /> : null
      }
    >
      {usesMail && currentUser.value !== null && hasPermission.value('admin') ? (
        <LastMailWarning />
      ) : null}
      <QueryContent
        query={query}
        name="notifications"
        rows={2}
        isEmpty={() => notifications.length === 0}
        empty={
          <EmptyState icon="mail" title="No notifications">
            A notification sends a message when a run starts, succeeded or failed.
          </EmptyState>
        }
      >
        {() => (
          <DataTable
            label="Notifications"
            columns={columnsOf(canChange, query.reload)}
            items={notifications}
            keyOf={({ databaseId }) => databaseId}
          />
        )}
      </QueryContent>
    </Card>
  );
}

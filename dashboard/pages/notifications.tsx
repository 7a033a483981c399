import { useEffect } from 'preact/hooks';
import { useQuery } from '../api/hooks';
import { request } from '../api/request';
import { hasPermission } from '../current-user';
import { DeliveriesDocument, RetryDeliveryDocument } from '../generated/operations';
import type { DeliveryFilter, DeliveryRowFragment, DeliveryState } from '../generated/operations';
import { CHANNELS, DELIVERY_STATES, DeliveryStateLabel, PURPOSES } from '../notifications/labels';
import { MailWarning } from '../notifications/mail-warning';
import { SectionLinks } from '../notifications/section-links';
import { TestMail } from '../notifications/test-mail';
import { Action } from '../parts/action';
import { DataTable } from '../parts/data-table';
import type { Column } from '../parts/data-table';
import { SegmentedControl } from '../parts/fields';
import { formatConstant, isolateDirection } from '../parts/format';
import { throwUserErrors } from '../parts/form';
import { FilterBar, ListPage, setFilters } from '../parts/list-page';
import { notify } from '../parts/notices';
import { ErrorText } from '../parts/page';
import { pageVariables } from '../parts/pager';
import { EmptyState } from '../parts/states';
import { Time } from '../parts/runs/times';
import { route } from '../router';
import { MessageTemplates } from './message-templates';

/** The service does not announce changes of messages. */
const RELOAD_INTERVAL_MS = 5_000;

const STATE_OPTIONS = [
  { value: '', text: 'Any' },
  ...DELIVERY_STATES.map((value) => ({ value, text: formatConstant(value) })),
];

const parseState = (text: string | null): DeliveryState | null =>
  DELIVERY_STATES.find((state) => state === text) ?? null;

const toFilter = (state: DeliveryState | null): DeliveryFilter =>
  state === null ? {} : { state: { eq: state } };

async function retry({ databaseId, subject }: DeliveryRowFragment): Promise<void> {
  const { deliveryRetry } = await request(RetryDeliveryDocument, { id: String(databaseId) });
  throwUserErrors(deliveryRetry.userErrors);
  notify(`${isolateDirection(subject)} is sent again.`);
}

function MessageCell({ delivery }: { delivery: DeliveryRowFragment }) {
  const { subject, purpose, channel, recipient, error, nextAttemptAt, createdAt } = delivery;
  return (
    <>
      <b>
        <bdi>{subject}</bdi>
      </b>
      <span class="line quiet">
        {PURPOSES[purpose]}, {CHANNELS[channel]}
        {nextAttemptAt === null ? null : (
          <>
            , next attempt <Time form="relative" at={nextAttemptAt} />
          </>
        )}
      </span>
      <span class="only-narrow quiet">
        <Time at={createdAt} /> to <bdi>{recipient}</bdi>
      </span>
      {error === null ? null : (
        <span class="row-error">
          <ErrorText error={error} />
        </span>
      )}
    </>
  );
}

const columnsOf = (onRetry: () => void): readonly Column<DeliveryRowFragment>[] => [
  {
    title: 'State',
    headerClass: 'th-small',
    cellClass: 'cell-state',
    cell: ({ state }) => <DeliveryStateLabel state={state} />,
  },
  {
    title: 'Message',
    cellClass: 'cell-main',
    cell: (delivery) => <MessageCell delivery={delivery} />,
  },
  {
    title: 'Recipient',
    isWideOnly: true,
    cellClass: 'recipients',
    cell: ({ recipient }) =>
      recipient === '' ? <span class="quiet">none</span> : <bdi>{recipient}</bdi>,
  },
  {
    title: 'Attempts',
    isWideOnly: true,
    headerClass: 'number',
    cellClass: 'number num',
    cell: ({ attempts }) => attempts,
  },
  {
    title: 'Queued',
    isWideOnly: true,
    cellClass: 'nowrap',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  {
    title: 'Ended',
    isWideOnly: true,
    cellClass: 'nowrap',
    cell: ({ finishedAt }) =>
      finishedAt === null ? <span class="quiet">–</span> : <Time at={finishedAt} />,
  },
  {
    title: 'Actions',
    isTitleHidden: true,
    cellClass: 'cell-actions',
    cell: (delivery) =>
      delivery.state === 'FAILED' ? (
        <Action
          icon="retry"
          text="Retry"
          label={`Retry ${delivery.subject} to ${delivery.recipient}`}
          isQuiet
          run={async () => {
            await retry(delivery);
            onRetry();
          }}
        />
      ) : null,
  },
];

function useRegularReload(reload: () => void): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) reload();
    }, RELOAD_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [reload]);
}

/** Messages that were sent, failed, or wait. */
function Messages() {
  const state = parseState(route.value.query.get('state'));
  const messages = useQuery(DeliveriesDocument, { filter: toFilter(state), ...pageVariables() });
  useRegularReload(messages.reload);
  return (
    <ListPage
      title="Notifications"
      label="Messages"
      actions={
        <>
          <SectionLinks />
          <TestMail onSent={messages.reload} />
        </>
      }
      filters={
        <>
          <MailWarning mails={messages.data} />
          <FilterBar label="Filter messages">
            <SegmentedControl
              label="State"
              value={state ?? ''}
              options={STATE_OPTIONS}
              onChange={(value) => setFilters({ state: value })}
            />
          </FilterBar>
        </>
      }
      query={messages}
      name="messages"
      connection={({ deliveries }) => deliveries}
      nouns={['message', 'messages']}
      empty={
        <EmptyState icon="mail" title="No messages">
          {state === null ? 'Messages are kept for 30 days.' : 'No results match the filters.'}
        </EmptyState>
      }
    >
      {(items) => (
        <DataTable
          label="Messages"
          columns={columnsOf(messages.reload)}
          items={items}
          keyOf={({ databaseId }) => databaseId}
        />
      )}
    </ListPage>
  );
}

/** The messages for administrators, the templates for others: they may not read messages. */
export function Notifications() {
  return hasPermission.value('admin') ? <Messages /> : <MessageTemplates />;
}

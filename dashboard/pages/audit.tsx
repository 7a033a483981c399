import { useEffect } from 'preact/hooks';
import { useQuery, useSubscription, useThrottle } from '../api/hooks';
import { connection } from '../api/subscriptions';
import {
  AuditAction,
  AuditEventDetailsDocument,
  AuditEventsDocument,
  AuditTargetType,
  WatchAuditDocument,
} from '../generated/operations';
import type { AuditEventFilter, AuditEventsQuery } from '../generated/operations';
import { DataTable } from '../parts/data-table';
import type { Column } from '../parts/data-table';
import { parseSearchText, SearchInput, Select } from '../parts/fields';
import type { Option } from '../parts/fields';
import { formatConstant, formatJson } from '../parts/format';
import { FilterBar, LIST_RELOAD_INTERVAL_MS, ListPage, setFilters } from '../parts/list-page';
import { pageVariables } from '../parts/pager';
import { EmptyState, ErrorState, Loading } from '../parts/states';
import { TextBlock } from '../parts/text-block';
import { Time } from '../parts/runs/times';
import { href, route } from '../router';

type Event = AuditEventsQuery['auditEvents']['nodes'][number];

/** Dashboard pages of changed records. */
const TARGET_PAGES: Readonly<Partial<Record<AuditTargetType, string>>> = {
  RUN: 'runs',
  WORKFLOW: 'workflows',
};

const optionsOf = (values: Readonly<Record<string, string>>): readonly Option[] => [
  { value: '', text: 'Any' },
  ...Object.values(values).map((value) => ({ value, text: formatConstant(value) })),
];

const parseEnum = <Value extends string>(
  values: Readonly<Record<string, Value>>,
  text: string | null,
): Value | null => Object.values(values).find((value) => value === text) ?? null;

function Target({ type, targetId }: Event['target']) {
  const page = TARGET_PAGES[type];
  return (
    <span class="quiet">
      {formatConstant(type).toLowerCase()}{' '}
      {page === undefined ? targetId : <a href={href(`${page}/${targetId}`)}>{targetId}</a>}
    </span>
  );
}

const COLUMNS: readonly Column<Event>[] = [
  {
    title: 'When',
    isWideOnly: true,
    cellClass: 'nowrap',
    cell: ({ at }) => <Time at={at} form="exact" />,
  },
  {
    title: 'Action',
    cellClass: 'cell-main',
    cell: ({ at, action, actor, target }) => (
      <>
        <b>{formatConstant(action)}</b> <Target {...target} />
        <span class="only-narrow quiet">
          <Time at={at} form="exact" /> <bdi>{actor.email}</bdi>
        </span>
      </>
    ),
  },
  { title: 'Who', isWideOnly: true, cell: ({ actor }) => <bdi>{actor.email}</bdi> },
];

function EventDetails({ id }: { id: number }) {
  const { data, failure, reload } = useQuery(AuditEventDetailsDocument, { id: String(id) });
  if (failure !== null) return <ErrorState failure={failure} name="the audit" retry={reload} />;
  if (data === null) return <Loading name="the change" rows={2} />;
  if (data.auditEvent === null)
    return <EmptyState icon="empty" title="This event has been deleted" />;
  const { before, after, requestId, clientRequestId } = data.auditEvent;
  return (
    <div class="audit-details">
      {before == null ? null : (
        <div class="diff-before">
          <h2>Before</h2>
          <TextBlock text={formatJson(before)} label={`Before event ${id}`} />
        </div>
      )}
      {after == null ? null : (
        <div class="diff-after">
          <h2>After</h2>
          <TextBlock text={formatJson(after)} label={`After event ${id}`} />
        </div>
      )}
      <p class="quiet">
        Request <code>{requestId}</code>
        {clientRequestId === null ? null : (
          <>
            , called <code>{clientRequestId}</code> by the client
          </>
        )}
      </p>
    </div>
  );
}

const DETAILS = {
  name: ({ databaseId }: Event) => `event ${databaseId}`,
  render: ({ databaseId }: Event) => <EventDetails id={databaseId} />,
};

interface AuditSelection {
  readonly action: AuditAction | null;
  readonly type: AuditTargetType | null;
  readonly email: string;
}

/** The API accepts the actor together with the action, or the type of the target alone. */
const toFilter = ({ action, type, email }: AuditSelection): AuditEventFilter =>
  type === null
    ? {
        ...(action === null ? {} : { action: { eq: action } }),
        ...(email === '' ? {} : { actorEmail: { eq: email } }),
      }
    : { targetType: { eq: type } };

function AuditFilters({ action, type }: AuditSelection) {
  return (
    <FilterBar label="Filter changes">
      <Select
        label="Action"
        value={action ?? ''}
        options={optionsOf(AuditAction)}
        onChange={(value) => setFilters({ action: value, type: null })}
      />
      <Select
        label="Target"
        value={type ?? ''}
        options={optionsOf(AuditTargetType)}
        onChange={(value) => setFilters({ type: value, action: null, by: null })}
      />
      <SearchInput
        label="Actor (full e-mail address)"
        value={route.value.query.get('by') ?? ''}
        onSearch={(text) => setFilters({ by: text, type: null })}
      />
    </FilterBar>
  );
}

function useAuditEvents(selection: AuditSelection) {
  const events = useQuery(AuditEventsDocument, { filter: toFilter(selection), ...pageVariables() });
  const reload = useThrottle(events.reload, LIST_RELOAD_INTERVAL_MS);
  useSubscription(WatchAuditDocument, {}, { onData: reload, onForbidden: reload });
  // Loads changes that happened while the connection was lost.
  useEffect(() => {
    if (connection.value === 'open') reload();
  }, [connection.value]);
  return events;
}

export function Audit() {
  const { query } = route.value;
  const selection: AuditSelection = {
    action: parseEnum(AuditAction, query.get('action')),
    type: parseEnum(AuditTargetType, query.get('type')),
    email: parseSearchText(query.get('by')),
  };
  const events = useAuditEvents(selection);
  return (
    <ListPage
      title="Audit"
      label="Changes"
      filters={<AuditFilters {...selection} />}
      query={events}
      name="the audit"
      connection={({ auditEvents }) => auditEvents}
      nouns={['change', 'changes']}
      empty={
        <EmptyState icon="empty" title="No changes">
          No results match the filters.
          {selection.email === '' ? '' : ' The e-mail address must match exactly.'}
        </EmptyState>
      }
    >
      {(items) => (
        <DataTable
          label="Changes"
          columns={COLUMNS}
          items={items}
          keyOf={({ databaseId }) => databaseId}
          details={DETAILS}
        />
      )}
    </ListPage>
  );
}

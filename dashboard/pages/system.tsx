import { useQuery, useSubscription } from '../api/hooks';
import { hasPermission } from '../current-user';
import { SystemCheckDocument, WatchSystemCheckDocument } from '../generated/operations';
import type { SystemHealthFragment } from '../generated/operations';
import { Button } from '../parts/button';
import { DataTable } from '../parts/data-table';
import type { Column } from '../parts/data-table';
import { Icon } from '../parts/icon';
import type { IconName } from '../parts/icon';
import { Card, Heading } from '../parts/page';
import { ProcessCard } from '../parts/process-card';
import { QueryContent } from '../parts/states';
import { Duration, Time } from '../parts/runs/times';
import { LdapTestCard } from '../users/ldap-test';

type Component = SystemHealthFragment['components'][number];

interface Label {
  readonly text: string;
  readonly icon: IconName;
  /** Of the states of runs, for its colour. */
  readonly style: string;
}

function labelOf({ status, isUsed }: Component): Label {
  if (!isUsed) return { text: 'Not used', icon: 'slash', style: 'cancelled' };
  return status === 'DOWN'
    ? { text: 'Down', icon: 'cross', style: 'failed' }
    : { text: 'Operational', icon: 'check', style: 'succeeded' };
}

function ComponentState({ component }: { component: Component }) {
  const { text, icon, style } = labelOf(component);
  return (
    <span class={`state state-${style}`}>
      <Icon name={icon} size={13} />
      {text}
    </span>
  );
}

/** `startedAt` becomes `started at`. */
const wordsOf = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function ComponentDetails({ error, isUsed, details }: Component) {
  const warning = details.find(({ name }) => name === 'warning')?.value;
  const facts = details.filter(({ name }) => name !== 'warning' && name !== 'enabled');
  return (
    <>
      {error === null ? null : (
        <p class={isUsed ? 'bad' : 'quiet'}>
          <bdi dir="ltr">{error}</bdi>
        </p>
      )}
      {warning === undefined ? null : (
        <p class="warn">
          <bdi dir="ltr">{warning}</bdi>
        </p>
      )}
      {facts.length === 0 ? null : (
        <p class="system-facts">
          {facts.map(({ name, value }) => (
            <span key={name}>
              <span class="quiet">{wordsOf(name)}</span> <bdi dir="ltr">{value}</bdi>
            </span>
          ))}
        </p>
      )}
    </>
  );
}

const COLUMNS: readonly Column<Component>[] = [
  { title: 'Component', cell: ({ title }) => <b>{title}</b> },
  { title: 'State', cell: (component) => <ComponentState component={component} /> },
  { title: 'Details', cellClass: 'cell-main', cell: ComponentDetails },
  {
    title: 'Checked',
    isWideOnly: true,
    cellClass: 'nowrap quiet',
    cell: ({ checkedAt, durationMs }) => (
      <>
        <Time form="relative" at={checkedAt} /> (<Duration ms={durationMs} />)
      </>
    ),
  },
];

/** The state of the service and of the systems that it depends on. */
export function SystemPage() {
  const query = useQuery(SystemCheckDocument, {});
  useSubscription(
    WatchSystemCheckDocument,
    {},
    {
      onData: ({ systemCheck }) => query.update(() => ({ systemCheck })),
      onForbidden: query.reload,
    },
  );
  return (
    <>
      <Heading title="System check">
        {query.data === null ? null : (
          <span role="status" class={query.data.systemCheck.status === 'DOWN' ? 'bad' : 'quiet'}>
            {query.data.systemCheck.status === 'DOWN'
              ? 'At least one component is down'
              : 'All components in use are operational'}
          </span>
        )}
      </Heading>
      <Card
        title="Components"
        aside={
          <Button class="button" isDisabled={query.loading} onClick={query.reload}>
            <Icon name="retry" size={14} />
            Check again
          </Button>
        }
      >
        <QueryContent query={query} name="the system check" rows={10}>
          {({ systemCheck }) => (
            <DataTable
              label="Components"
              columns={COLUMNS}
              items={systemCheck.components}
              keyOf={({ name }) => name}
            />
          )}
        </QueryContent>
      </Card>
      {hasPermission.value('admin') ? (
        <>
          <ProcessCard />
          <LdapTestCard />
        </>
      ) : null}
    </>
  );
}

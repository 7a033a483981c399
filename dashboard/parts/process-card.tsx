import { useQuery } from '../api/hooks';
import { ProcessesDocument } from '../generated/operations';
import type { ProcessesQuery, ProcessState } from '../generated/operations';
import { Button } from './button';
import { DataTable } from './data-table';
import type { Column } from './data-table';
import { Icon } from './icon';
import type { IconName } from './icon';
import { Card } from './page';
import { Time } from './runs/times';
import { QueryContent } from './states';

type Process = ProcessesQuery['processes'][number];

/** The styles are those of states of runs. */
const STATES: Readonly<
  Record<ProcessState, { readonly text: string; readonly icon: IconName; readonly style: string }>
> = {
  ALIVE: { text: 'Alive', icon: 'check', style: 'succeeded' },
  LATE: { text: 'Late', icon: 'clock', style: 'interrupted' },
  DEAD: { text: 'Dead', icon: 'cross', style: 'failed' },
};

const COLUMNS: readonly Column<Process>[] = [
  {
    title: 'State',
    cell: ({ state }) => (
      <span class={`state state-${STATES[state].style}`}>
        <Icon name={STATES[state].icon} size={13} />
        {STATES[state].text}
      </span>
    ),
  },
  {
    title: 'Machine',
    cellClass: 'cell-main',
    cell: ({ host, pid }) => (
      <>
        <bdi dir="ltr">{host}</bdi> <span class="quiet">pid {pid}</span>
      </>
    ),
  },
  { title: 'Roles', cell: ({ roles }) => roles.join(', ').toLowerCase() },
  { title: 'Version', cell: ({ version }) => version },
  { title: 'Runs', cell: ({ runs }) => runs },
  { title: 'Lag', isWideOnly: true, cellClass: 'nowrap quiet', cell: ({ lagMs }) => `${lagMs} ms` },
  {
    title: 'Started',
    isWideOnly: true,
    cellClass: 'nowrap quiet',
    cell: ({ since }) => <Time form="relative" at={since} />,
  },
  {
    title: 'Last beat',
    isWideOnly: true,
    cellClass: 'nowrap quiet',
    cell: ({ beatAt }) => <Time form="relative" at={beatAt} />,
  },
];

/** The processes of the service at the store. */
export function ProcessCard() {
  const query = useQuery(ProcessesDocument, {});
  return (
    <Card
      title="Processes"
      aside={
        <Button class="button" isDisabled={query.loading} onClick={query.reload}>
          <Icon name="retry" size={14} />
          Reload
        </Button>
      }
    >
      <QueryContent query={query} name="the processes" rows={1}>
        {({ processes }) => (
          <DataTable
            label="Processes"
            columns={COLUMNS}
            items={processes}
            keyOf={({ name }) => name}
          />
        )}
      </QueryContent>
    </Card>
  );
}

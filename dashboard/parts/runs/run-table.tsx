import type { ComponentChildren } from 'preact';
import { hasPermission } from '../../current-user';
import type { RunRowFragment, ScheduleRowFragment } from '../../generated/operations';
import { href } from '../../router';
import { DataTable } from '../data-table';
import type { Column } from '../data-table';
import { formatConstant, formatNumber, formatQuantity } from '../format';
import { ErrorText } from '../page';
import { RunActions } from './run-actions';
import { RunStateLabel } from './run-state';
import { RunDuration, Time } from './times';

const StartTime = ({ run }: { run: RunRowFragment }) => <Time at={run.startedAt ?? run.queuedAt} />;

/** The workflow of a run, with its error. Its times are in columns of their own on wide screens. */
function RunCell({ run, isCompact }: { run: RunRowFragment; isCompact: boolean }) {
  const { databaseId, workflowTitle, test, warnings, error } = run;
  return (
    <>
      <a class="row-link" href={href(`runs/${databaseId}`)}>
        <bdi>{workflowTitle}</bdi>
      </a>{' '}
      <span class="quiet num">#{databaseId}</span>
      {test ? <span class="tag">test</span> : null}
      {warnings === 0 ? null : (
        <span class="tag">{formatQuantity(warnings, 'warning', 'warnings')}</span>
      )}
      {error ? (
        <span class="row-error">
          <ErrorText error={error} />
        </span>
      ) : null}
      <span class={isCompact ? 'line quiet' : 'line quiet only-narrow'}>
        <StartTime run={run} /> · <RunDuration run={run} />
      </span>
    </>
  );
}

const triggerCell = ({ schedule, trigger }: RunRowFragment): ComponentChildren =>
  schedule ? <bdi>{schedule.title}</bdi> : formatConstant(trigger);

const WIDE_COLUMNS: readonly Column<RunRowFragment>[] = [
  { title: 'Started by', isWideOnly: true, cell: triggerCell },
  {
    title: 'Steps',
    isWideOnly: true,
    headerClass: 'number',
    cellClass: 'number',
    cell: ({ stepCount }) =>
      stepCount == null ? <span class="quiet">–</span> : formatNumber(stepCount),
  },
  {
    title: 'Started',
    isWideOnly: true,
    cellClass: 'nowrap',
    cell: (run) => <StartTime run={run} />,
  },
  {
    title: 'Duration',
    isWideOnly: true,
    headerClass: 'number',
    cellClass: 'number nowrap',
    cell: (run) => <RunDuration run={run} />,
  },
];

const columnsOf = (isCompact: boolean): readonly Column<RunRowFragment>[] => [
  {
    title: 'State',
    headerClass: 'th-small',
    cellClass: 'cell-state',
    cell: ({ state }) => <RunStateLabel state={state} />,
  },
  {
    title: 'Workflow',
    cellClass: 'cell-main',
    cell: (run) => <RunCell run={run} isCompact={isCompact} />,
  },
  ...(isCompact ? [] : WIDE_COLUMNS),
  {
    title: 'Actions',
    isTitleHidden: true,
    cellClass: 'cell-actions',
    cell: (run) => <RunActions run={run} isQuiet />,
  },
];
const COLUMNS = columnsOf(false);
const COMPACT_COLUMNS = columnsOf(true);

export function RunTable({
  runs,
  label,
  isCompact = false,
}: {
  runs: readonly RunRowFragment[];
  label: string;
  isCompact?: boolean;
}) {
  return (
    <DataTable
      label={label}
      columns={isCompact ? COMPACT_COLUMNS : COLUMNS}
      items={runs}
      keyOf={({ databaseId }) => databaseId}
    />
  );
}

/**
 * The last run of a workflow or schedule. If the user may not read runs, it is null whether or not
 * there was one.
 */
export function LastRun({ run, title }: { run: ScheduleRowFragment['lastRun']; title: string }) {
  if (run === null)
    return (
      <span class="quiet nowrap">{hasPermission.value('CONNECTION:READ') ? 'never' : '–'}</span>
    );
  return (
    <a class="plain" href={href(`runs/${run.databaseId}`)}>
      <RunStateLabel state={run.state} />
      <span class="line quiet only-wide">
        <Time at={run.startedAt ?? run.queuedAt} />
      </span>
      <span class="unseen">, last run of {title}</span>
    </a>
  );
}

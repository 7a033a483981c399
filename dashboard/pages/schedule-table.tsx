import type { ComponentChildren } from 'preact';
import { request } from '../api/request';
import { ScheduleActions } from '../build/schedules/schedule-actions';
import { hasPermission } from '../current-user';
import {
  EnableScheduleDocument,
  SetOverlapPolicyDocument,
  StartScheduleDocument,
} from '../generated/operations';
import type { OverlapPolicy, ScheduleRowFragment } from '../generated/operations';
import { Action, throwUserError, useAction } from '../parts/action';
import { Button } from '../parts/button';
import { DataTable } from '../parts/data-table';
import type { Column } from '../parts/data-table';
import { formatDateTime, isolateDirection } from '../parts/format';
import { notify } from '../parts/notices';
import { LastRun } from '../parts/runs/run-table';
import { Time } from '../parts/runs/times';
import { href } from '../router';
import { offerToEnable } from '../build/schedules/undo-disable';
import { DisabledTag } from '../users/disabled-tag';

/** Called with the changed schedule, or after a failed change. */
interface ScheduleListeners {
  readonly onChange: (schedule: ScheduleRowFragment) => void;
  /** Reads the schedules again. */
  readonly onFailure: () => void;
}

interface ScheduleProps extends ScheduleListeners {
  readonly schedule: ScheduleRowFragment;
}

interface SchedulePayload {
  readonly schedule: ScheduleRowFragment | null;
  readonly userErrors: readonly { readonly message: string }[];
}

/** Changes a schedule; the row shows the change when the service has confirmed it. */
function useScheduleChange({ onChange, onFailure }: ScheduleListeners): {
  readonly isBusy: boolean;
  readonly change: (send: () => Promise<SchedulePayload>) => Promise<void>;
} {
  const { isBusy, perform } = useAction();
  const change = (send: () => Promise<SchedulePayload>): Promise<void> =>
    // After a failure, another user may have changed it: the current version is read.
    perform(async () => {
      const { schedule, userErrors } = await send();
      throwUserError(userErrors);
      if (schedule) onChange(schedule);
    }, onFailure);
  return { isBusy, change };
}

export const OVERLAP_POLICIES: Readonly<Record<OverlapPolicy, string>> = {
  ALLOW: 'allow overlapping runs',
  SKIP: 'skip while running',
  QUEUE: 'queue while running',
};

function OverlapPolicySelect({ schedule, ...listeners }: ScheduleProps) {
  const { isBusy, change } = useScheduleChange(listeners);
  const { databaseId, overlapPolicy, title, version, viewerCan } = schedule;
  if (!viewerCan.update) return <>{OVERLAP_POLICIES[overlapPolicy]}</>;
  const select = (selected: OverlapPolicy): Promise<void> =>
    change(async () => {
      const { scheduleUpdate } = await request(SetOverlapPolicyDocument, {
        id: String(databaseId),
        overlapPolicy: selected,
        expectedVersion: version,
      });
      return scheduleUpdate;
    });
  return (
    <select
      value={overlapPolicy}
      disabled={isBusy}
      aria-label={`${title}: overlap policy`}
      onChange={({ currentTarget }) => void select(currentTarget.value as OverlapPolicy)}
    >
      {Object.entries(OVERLAP_POLICIES).map(([policy, text]) => (
        <option key={policy} value={policy} selected={policy === overlapPolicy}>
          {text}
        </option>
      ))}
    </select>
  );
}

function EnabledSwitch({ schedule, ...listeners }: ScheduleProps) {
  const { isBusy, change } = useScheduleChange(listeners);
  const { databaseId, enabled, title, version, viewerCan } = schedule;
  if (!viewerCan.update) return <span class="quiet">{enabled ? 'on' : 'off'}</span>;
  const toggle = (): Promise<void> =>
    change(async () => {
      const { scheduleEnable } = await request(EnableScheduleDocument, {
        id: String(databaseId),
        enabled: !enabled,
        expectedVersion: version,
      });
      if (enabled && scheduleEnable.schedule !== null)
        offerToEnable([schedule], listeners.onFailure);
      return scheduleEnable;
    });
  return (
    <Button
      role="switch"
      class="switch"
      aria-checked={enabled}
      aria-label={`${title} enabled`}
      isDisabled={isBusy}
      onClick={() => void toggle()}
    >
      <i />
      <span aria-hidden="true">{enabled ? 'on' : 'off'}</span>
    </Button>
  );
}

function NextRuns({
  schedule: { enabled, cron, nextFireTimes },
}: {
  schedule: ScheduleRowFragment;
}) {
  const [next] = nextFireTimes;
  if (!enabled || next === undefined)
    return <span class="quiet">{cron === '' ? 'on demand' : 'not due'}</span>;
  return (
    <>
      <Time form="relative" at={next} />
      <details class="fires">
        <summary>
          <Time at={next} form="exact" />
        </summary>
        <ol>
          {nextFireTimes.map((at) => (
            <li key={at}>
              <time dateTime={at}>{formatDateTime(at)}</time>
            </li>
          ))}
        </ol>
      </details>
    </>
  );
}

const WorkflowLink = ({
  workflow: { databaseId, title },
}: {
  workflow: NonNullable<ScheduleRowFragment['workflow']>;
}) => (
  <a href={href(`workflows/${databaseId}`)}>
    <bdi>{title}</bdi>
  </a>
);

/** The title and times of a schedule; on narrow screens also the content of the other columns. */
function ScheduleCell({ schedule, ...listeners }: ScheduleProps) {
  const { databaseId, title, cron, timeZone, workflow, lastRun, logging, missedFires, createdBy } =
    schedule;
  return (
    <>
      <a class="row-link" href={href(`schedules/${databaseId}`)}>
        <bdi>{title}</bdi>
      </a>
      {logging ? <span class="tag">with logging</span> : null}
      <span class="line quiet">
        {cron === '' ? (
          'on demand'
        ) : (
          <>
            <code>{cron}</code> {timeZone}
            {missedFires === 'SKIP' ? ', missed runs are skipped' : ''},{' '}
            <OverlapPolicySelect schedule={schedule} {...listeners} />
          </>
        )}
      </span>
      <span class="line quiet">
        by <bdi>{createdBy.user?.email ?? createdBy.email}</bdi>{' '}
        <DisabledTag user={createdBy.user} />
      </span>
      <span class="only-narrow quiet">
        Next: <NextRuns schedule={schedule} />
      </span>
      {workflow ? (
        <span class="only-narrow quiet">
          Runs <WorkflowLink workflow={workflow} />
        </span>
      ) : null}
      {lastRun ? (
        <span class="only-narrow quiet">
          Last run: <Time at={lastRun.startedAt ?? lastRun.queuedAt} />
        </span>
      ) : null}
    </>
  );
}

function startAction({ databaseId, title, viewerCan }: ScheduleRowFragment): ComponentChildren {
  if (!viewerCan.start) return null;
  const start = async (): Promise<void> => {
    const { scheduleStart } = await request(StartScheduleDocument, { id: String(databaseId) });
    throwUserError(scheduleStart.userErrors);
    notify(`${isolateDirection(title)} was started.`, {
      link: hasPermission.value('CONNECTION:READ')
        ? { href: href(`runs/${scheduleStart.run?.databaseId}`), text: 'View run' }
        : null,
    });
  };
  return <Action icon="play" text="Start now" label={`Start now: ${title}`} isQuiet run={start} />;
}

const columnsOf = (listeners: ScheduleListeners): readonly Column<ScheduleRowFragment>[] => [
  {
    title: 'Enabled',
    headerClass: 'th-small',
    cellClass: 'cell-switch',
    cell: (schedule) => <EnabledSwitch schedule={schedule} {...listeners} />,
  },
  {
    title: 'Schedule',
    cellClass: 'cell-main',
    cell: (schedule) => <ScheduleCell schedule={schedule} {...listeners} />,
  },
  {
    title: 'Workflow',
    isWideOnly: true,
    cellClass: 'cell-title',
    cell: ({ workflow }) =>
      workflow ? <WorkflowLink workflow={workflow} /> : <span class="quiet">–</span>,
  },
  {
    title: 'Next',
    isWideOnly: true,
    cellClass: 'num cell-next',
    cell: (schedule) => <NextRuns schedule={schedule} />,
  },
  { title: 'Last run', cell: ({ lastRun, title }) => <LastRun run={lastRun} title={title} /> },
  { title: 'Actions', isTitleHidden: true, cellClass: 'cell-actions', cell: startAction },
];

/**
 * Schedules that can be enabled, disabled and started, if the user has the permissions.
 * @param props.hasSelection offers to change and delete several at once
 */
export function ScheduleTable({
  schedules,
  hasSelection = false,
  ...listeners
}: ScheduleListeners & {
  schedules: readonly ScheduleRowFragment[];
  hasSelection?: boolean;
}) {
  const canSelect =
    hasSelection && schedules.some(({ viewerCan }) => viewerCan.update || viewerCan.delete);
  return (
    <DataTable
      label="Schedules"
      columns={columnsOf(listeners)}
      items={schedules}
      keyOf={({ databaseId }) => databaseId}
      selection={
        canSelect
          ? {
              name: ({ title }) => `schedule ${title}`,
              actions: (selected) => (
                <ScheduleActions schedules={selected} onChange={listeners.onFailure} />
              ),
            }
          : undefined
      }
    />
  );
}

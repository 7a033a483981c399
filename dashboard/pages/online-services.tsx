import { useState } from 'preact/hooks';
import { useQuery, useSubscription } from '../api/hooks';
import { request } from '../api/request';
import {
  KeepOnlineItemDocument,
  OnlineServicesDocument,
  StartSynchronisationDocument,
  SynchronisationsDocument,
  TakeOnlineItemDocument,
  WatchSynchronisationDocument,
} from '../generated/operations';
import type {
  OnlineConflictReason,
  OnlineServicesQuery,
  SynchronisationsQuery,
} from '../generated/operations';
import { Action, throwUserError } from '../parts/action';
import { DataTable } from '../parts/data-table';
import type { Column } from '../parts/data-table';
import { formatConstant } from '../parts/format';
import { notify } from '../parts/notices';
import { MissingSettings } from '../parts/missing-settings';
import { Card, Fact, Heading } from '../parts/page';
import { Pager, pageVariables } from '../parts/pager';
import { QueryContent } from '../parts/states';
import { Time } from '../parts/runs/times';

type Services = OnlineServicesQuery['onlineServices'];
type Source = Services['sources'][number];
type Conflict = Source['conflicts'][number];
type Synchronisation = SynchronisationsQuery['synchronisations']['nodes'][number];

const KINDS = { INVOKER: 'Invokers', TEMPLATE: 'Templates' } as const;
const REASONS: Readonly<Record<OnlineConflictReason, string>> = {
  CHANGED: 'Changed here and in the portal',
  DELETED: 'Deleted here, changed in the portal',
  NOT_TAKEN: 'Exists here with other content',
};

/** Progress of a synchronisation that was started on this page. */
function Progress({ jobId, onEnd }: { jobId: number; onEnd: () => void }) {
  const [text, setText] = useState('Waiting');
  useSubscription(
    WatchSynchronisationDocument,
    { jobId: String(jobId) },
    {
      onData({ jobProgress: { state, percent, message, error } }) {
        setText(`${Math.floor(percent)} %${message == null ? '' : `, ${message}`}`);
        if (state === 'QUEUED' || state === 'RUNNING') return;
        if (error == null) notify('The synchronisation has ended.');
        else notify(error.message, { isError: true });
        onEnd();
      },
    },
  );
  return <span role="status">{text}</span>;
}

const conflictColumns = (reload: () => void): readonly Column<Conflict>[] => [
  {
    title: 'Name',
    cellClass: 'cell-main',
    cell: ({ name, reason }) => (
      <>
        <b>
          <bdi>{name}</bdi>
        </b>
        <span class="line quiet">{REASONS[reason]}</span>
      </>
    ),
  },
  { title: 'Since', isWideOnly: true, cell: ({ since }) => <Time at={since} /> },
  {
    title: 'Decide',
    isTitleHidden: true,
    cellClass: 'cell-actions',
    cell: ({ itemId, name }) => (
      <>
        <Action
          icon="down"
          text="Take"
          label={`Take ${name} from the portal`}
          confirm={`Replace ${name} by the version of the portal? Local changes are lost.`}
          run={async () => {
            const { onlineItemTake } = await request(TakeOnlineItemDocument, { itemId });
            throwUserError(onlineItemTake.userErrors);
            reload();
          }}
        />
        <Action
          icon="check"
          text="Keep"
          label={`Keep the local ${name}`}
          isQuiet
          run={async () => {
            const { onlineItemKeep } = await request(KeepOnlineItemDocument, { itemId });
            throwUserError(onlineItemKeep.userErrors);
            reload();
          }}
        />
      </>
    ),
  },
];

const SourceFacts = ({ isActive, cron, nextAt, last }: Source) => (
  <dl class="facts">
    <Fact name="Schedule">{isActive ? <code>{cron}</code> : 'off'}</Fact>
    <Fact name="Next">{nextAt == null ? 'never' : <Time at={nextAt} />}</Fact>
    <Fact name="Last">
      {last == null ? (
        'never'
      ) : (
        <>
          {formatConstant(last.state)}, <Time at={last.startedAt} />
        </>
      )}
    </Fact>
  </dl>
);

function SourceCard({
  source,
  isOn,
  reload,
}: {
  source: Source;
  isOn: boolean;
  reload: () => void;
}) {
  const { kind, conflicts } = source;
  const [jobId, setJobId] = useState<number | null>(null);
  const start = async (isDryRun: boolean): Promise<void> => {
    const { synchronisationStart } = await request(StartSynchronisationDocument, {
      input: { kind, isDryRun },
    });
    throwUserError(synchronisationStart.userErrors);
    setJobId(synchronisationStart.job?.databaseId ?? null);
  };
  const name = KINDS[kind].toLowerCase();
  const actions = (
    <div class="heading-actions">
      <Action icon="play" text="Dry run" label={`Dry run of ${name}`} run={() => start(true)} />
      <Action
        icon="retry"
        text="Synchronise"
        label={`Synchronise ${name}`}
        run={() => start(false)}
      />
    </div>
  );
  const end = (): void => {
    setJobId(null);
    reload();
  };
  return (
    <Card
      title={KINDS[kind]}
      aside={!isOn ? null : jobId === null ? actions : <Progress jobId={jobId} onEnd={end} />}
    >
      <SourceFacts {...source} />
      {conflicts.length === 0 ? (
        <p class="quiet">No version of the portal waits for a decision.</p>
      ) : (
        <DataTable
          label={`${KINDS[kind]} that wait for a decision`}
          columns={conflictColumns(reload)}
          items={conflicts}
          keyOf={({ itemId }) => itemId}
        />
      )}
    </Card>
  );
}

const countsOf = ({ counts }: Synchronisation): string =>
  Object.entries(counts)
    .flatMap(([name, count]) =>
      typeof count === 'number' && count > 0 ? [`${count} ${name}`] : [],
    )
    .join(', ') || 'nothing';

const HISTORY: readonly Column<Synchronisation>[] = [
  { title: 'When', isWideOnly: true, cell: ({ startedAt }) => <Time at={startedAt} /> },
  {
    title: 'Result',
    cellClass: 'cell-main',
    cell: (synchronisation) => (
      <>
        <b>{KINDS[synchronisation.kind]}</b> {synchronisation.isDryRun ? '(dry run) ' : ''}
        <span class={`state state-${synchronisation.state.toLowerCase()}`}>
          {formatConstant(synchronisation.state)}
        </span>
        <span class="line quiet">{synchronisation.message ?? countsOf(synchronisation)}</span>
      </>
    ),
  },
  {
    title: 'Started by',
    isWideOnly: true,
    cell: ({ startedBy }) => <bdi>{startedBy ?? 'the service'}</bdi>,
  },
];

const DETAILS = {
  name: ({ databaseId }: Synchronisation) => `synchronisation ${databaseId}`,
  render: ({ items }: Synchronisation) =>
    items.length === 0 ? (
      <p class="quiet">Nothing changed.</p>
    ) : (
      <ul>
        {items.map(({ name, action, message }) => (
          <li key={name}>
            <bdi>{name}</bdi>: {formatConstant(action).toLowerCase()}
            {message == null ? null : <span class="quiet"> {message}</span>}
          </li>
        ))}
      </ul>
    ),
};

/** Invokers and templates of the portal: what waits for a decision, and the history. */
export function OnlineServices() {
  const services = useQuery(OnlineServicesDocument, {});
  const history = useQuery(SynchronisationsDocument, pageVariables());
  const reload = (): void => {
    services.reload();
    history.reload();
  };
  return (
    <>
      <Heading title="Online services" />
      <QueryContent query={services} name="the online services" rows={4}>
        {({ onlineServices: { isActive, address, missingSettings, sources } }) => (
          <>
            <Card title="Portal">
              <dl class="facts">
                <Fact name="Address">{address == null ? 'not set' : <code>{address}</code>}</Fact>
                <Fact name="State">{isActive ? 'on' : 'off'}</Fact>
              </dl>
              <MissingSettings text="Nothing is synchronised." keys={missingSettings} />
            </Card>
            {sources.map((source) => (
              <SourceCard key={source.kind} source={source} isOn={isActive} reload={reload} />
            ))}
          </>
        )}
      </QueryContent>
      <Card title="History">
        <QueryContent query={history} name="the history" rows={4}>
          {({ synchronisations: { nodes, pageInfo, totalCount } }) =>
            nodes.length === 0 ? (
              <p class="quiet">Nothing was synchronised yet.</p>
            ) : (
              <>
                <DataTable
                  label="Synchronisations"
                  columns={HISTORY}
                  items={nodes}
                  keyOf={({ databaseId }) => databaseId}
                  details={DETAILS}
                />
                <Pager
                  info={pageInfo}
                  total={totalCount}
                  noun={totalCount === 1 ? 'synchronisation' : 'synchronisations'}
                />
              </>
            )
          }
        </QueryContent>
      </Card>
    </>
  );
}

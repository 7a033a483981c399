import { useQuery } from '../../api/hooks';
import { request } from '../../api/request';
import { hasPermission } from '../../current-user';
import {
  DeleteInvokerDocument,
  InvokerDetailsDocument,
  InvokerXmlDocument,
} from '../../generated/operations';
import type {
  InvokerDetailsQuery,
  InvokerRecordFragment,
  OperationPartsFragment,
} from '../../generated/operations';
import { Action } from '../../parts/action';
import { DataTable } from '../../parts/data-table';
import type { Column } from '../../parts/data-table';
import { DeleteRecord } from '../../parts/delete-records';
import { downloadText } from '../../parts/download';
import { formatConstant, formatQuantity, isolateDirection } from '../../parts/format';
import { throwUserErrors } from '../../parts/form';
import { Icon } from '../../parts/icon';
import { notify } from '../../parts/notices';
import { Card, Fact, Heading, RecordPage } from '../../parts/page';
import { Time } from '../../parts/runs/times';
import { href, navigate } from '../../router';
import { NewConnectorLink } from '../connectors/connectors';
import { WarningItem } from './import-invokers';
import { decodeName, pathOf } from './invoker-path';
import { ORIGINS } from './invokers';
import { OperationDetails, PaginationTable } from './operation-details';

type Invoker = NonNullable<InvokerDetailsQuery['invoker']>;

const OPERATION_COLUMNS: readonly Column<OperationPartsFragment>[] = [
  {
    title: 'Operation',
    cellClass: 'cell-main',
    cell: ({ name, type, request: { method, endpoint } }) => (
      <>
        <b>
          <bdi>{name}</bdi>
        </b>
        {type === '' ? null : <span class="tag">{type}</span>}
        <span class="only-narrow quiet">
          <code>
            {method} {endpoint}
          </code>
        </span>
      </>
    ),
  },
  {
    title: 'Request',
    isWideOnly: true,
    cellClass: 'cell-title',
    cell: ({ request: { method, endpoint } }) => (
      <code>
        {method} {endpoint}
      </code>
    ),
  },
];

function DetailsCard({ invoker }: { invoker: InvokerRecordFragment }) {
  const { description, hint, authType, origin, fileName, updatedAt, icon } = invoker;
  return (
    <Card title="Details">
      <p>
        <bdi>{description}</bdi>
      </p>
      {hint === null ? null : (
        <p class="quiet">
          <bdi>{hint}</bdi>
        </p>
      )}
      <dl class="facts">
        <Fact name="Source">{ORIGINS[origin]}</Fact>
        <Fact name="File">
          <bdi>{fileName}</bdi>
        </Fact>
        <Fact name="Authentication">{authType ?? 'not declared'}</Fact>
        {icon === null ? null : (
          <Fact name="Icon">
            <bdi>{icon}</bdi>
          </Fact>
        )}
        <Fact name="Changed">
          <Time at={updatedAt} />
        </Fact>
      </dl>
    </Card>
  );
}

function RequiredDataCard({ requiredData }: Pick<InvokerRecordFragment, 'requiredData'>) {
  return (
    <Card title="Required data">
      {requiredData.length === 0 ? (
        <p class="quiet">Connectors need no values.</p>
      ) : (
        <DataTable
          label="Required data"
          columns={[
            { title: 'Field', cellClass: 'cell-main', cell: ({ name }) => <code>{name}</code> },
            { title: 'Visibility', cell: ({ visibility }) => formatConstant(visibility) },
            {
              title: 'Default',
              cellClass: 'cell-title',
              cell: ({ value }) => <bdi dir="ltr">{value}</bdi>,
            },
          ]}
          items={requiredData}
          keyOf={({ name }) => name}
        />
      )}
    </Card>
  );
}

function DeleteInvoker({ invoker }: { invoker: Invoker }) {
  const { id, name, version, connectors } = invoker;
  const remove = async (force: boolean): Promise<void> => {
    const { invokerDelete } = await request(DeleteInvokerDocument, {
      id,
      expectedVersion: version,
      force,
    });
    throwUserErrors(invokerDelete.userErrors);
    notify(`${isolateDirection(name)} was deleted.`);
    navigate(href('invokers'));
  };
  return (
    <DeleteRecord
      noun="invoker"
      name={name}
      forceText="Delete it even if connectors or workflows use it. These then fail."
      remove={remove}
    >
      {connectors == null || connectors.totalCount === 0 ? null : (
        <p>
          {formatQuantity(connectors.totalCount, 'connector uses', 'connectors use')} it:{' '}
          <a href={href('connectors', { invoker: name })}>show</a>
        </p>
      )}
    </DeleteRecord>
  );
}

async function download(name: string): Promise<void> {
  const { invoker } = await request(InvokerXmlDocument, { name });
  if (invoker === null) throw new Error('The invoker was deleted.');
  downloadText(`${name}.xml`, invoker.xml, 'application/xml');
}

function InvokerView({ invoker }: { invoker: Invoker }) {
  const { name, warnings, requiredData, pagination, operations } = invoker;
  return (
    <>
      {warnings.length === 0 ? null : (
        <Card title="Warnings">
          <ul class="warn user-list" aria-label="Warnings">
            {warnings.map((warning) => (
              <WarningItem key={warning} invoker={name} warning={warning} />
            ))}
          </ul>
        </Card>
      )}
      <DetailsCard invoker={invoker} />
      <RequiredDataCard requiredData={requiredData} />
      <Card title="Operations">
        <DataTable
          label="Operations"
          columns={OPERATION_COLUMNS}
          items={operations.map((operation, at) => ({ ...operation, at }))}
          keyOf={({ at }) => at}
          details={{
            name: (operation) => `operation ${operation.name}`,
            render: (operation) => <OperationDetails operation={operation} />,
          }}
        />
      </Card>
      {pagination.length === 0 ? null : (
        <Card title="Pages">
          <PaginationTable label="Pages" pagination={pagination} />
        </Card>
      )}
    </>
  );
}

/** The heading of the pages of an invoker. */
function InvokerHeading({ invoker }: { invoker: Invoker }) {
  const { name, viewerCan } = invoker;
  return (
    <Heading title={name}>
      {viewerCan.update ? (
        <a class="button" href={href(`${pathOf(name)}/edit`)}>
          <Icon name="edit" size={14} />
          Edit
        </a>
      ) : null}
      <NewConnectorLink invoker={name} />
      {hasPermission.value('CONNECTOR:READ') ? (
        <a class="button" href={href('connectors', { invoker: name })}>
          Connectors
        </a>
      ) : null}
      <Action icon="down" text="Download XML" run={() => download(name)} />
      {viewerCan.delete ? <DeleteInvoker invoker={invoker} /> : null}
    </Heading>
  );
}

/** One invoker: what it declares. */
export function InvokerPage({ id: segment }: { id: string }) {
  const name = decodeName(segment);
  const query = useQuery(InvokerDetailsDocument, {
    name,
    withConnectors: hasPermission.value('CONNECTOR:READ'),
  });
  return (
    <RecordPage
      title={name}
      name="invoker"
      query={query}
      recordOf={({ invoker }) => invoker}
      notFoundText="It may have been deleted or renamed."
    >
      {(invoker) => (
        <>
          <InvokerHeading invoker={invoker} />
          <div class="account-cards">
            <InvokerView invoker={invoker} />
          </div>
        </>
      )}
    </RecordPage>
  );
}

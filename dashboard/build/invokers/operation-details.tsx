import type { ComponentChildren } from 'preact';
import type {
  BodyPartsFragment,
  HeaderPartsFragment,
  OperationPartsFragment,
  PaginationPartsFragment,
  ResultPartsFragment,
} from '../../generated/operations';
import { DataTable } from '../../parts/data-table';
import { formatJson } from '../../parts/format';
import { isObject } from '../../parts/values';

interface FieldRow {
  readonly path: string;
  readonly text: string;
}

/** The fields of a body, one in a row: `tickets[].title`. */
function fieldRows(value: unknown, path: string): FieldRow[] {
  if (isObject(value)) {
    const rows = Object.entries(value).flatMap(([name, within]) =>
      fieldRows(within, path === '' ? name : `${path}.${name}`),
    );
    return rows.length === 0 && path !== '' ? [{ path, text: 'object' }] : rows;
  }
  if (!Array.isArray(value)) return [{ path, text: formatJson(value) }];
  const [first] = value as unknown[];
  if (isObject(first)) return fieldRows(first, `${path}[]`);
  return [{ path: `${path}[]`, text: value.join(', ') }];
}

function FieldTable({ label, rows }: { label: string; rows: readonly FieldRow[] }) {
  if (rows.length === 0) return null;
  return (
    <DataTable
      label={label}
      columns={[
        {
          title: 'Field',
          cellClass: 'cell-main',
          cell: ({ path }) => <code>{path}</code>,
        },
        {
          title: 'Value',
          cellClass: 'cell-title',
          cell: ({ text }) => <bdi dir="ltr">{text}</bdi>,
        },
      ]}
      items={rows}
      keyOf={({ path }) => path}
    />
  );
}

function HeaderTable({ label, header }: { label: string; header: readonly HeaderPartsFragment[] }) {
  if (header.length === 0) return null;
  return (
    <DataTable
      label={label}
      columns={[
        { title: 'Header', cell: ({ name }) => <code>{name}</code> },
        {
          title: 'Value',
          cellClass: 'cell-title',
          cell: ({ value }) => <bdi dir="ltr">{value}</bdi>,
        },
      ]}
      items={header}
      keyOf={({ name }) => name}
    />
  );
}

/** How pages follow each other. */
export function PaginationTable({
  label,
  pagination,
}: {
  label: string;
  pagination: readonly PaginationPartsFragment[];
}) {
  return (
    <DataTable
      label={label}
      columns={[
        { title: 'Parameter', cell: ({ name }) => <code>{name}</code> },
        { title: 'Action', cell: ({ action }) => action },
        {
          title: 'Place',
          cellClass: 'cell-title',
          cell: ({ ref }) => (ref === null ? null : <code>{ref}</code>),
        },
        { title: 'Value', cellClass: 'cell-title', cell: ({ value }) => value },
      ]}
      items={pagination}
      keyOf={({ name, action, ref }) => `${name} ${action} ${ref}`}
    />
  );
}

function Part({
  title,
  label,
  header,
  body,
  children,
}: {
  title: string;
  label: string;
  header: readonly HeaderPartsFragment[];
  body: BodyPartsFragment | null;
  children?: ComponentChildren;
}) {
  return (
    <section class="operation-part">
      <h3>
        {title}
        {body === null ? null : (
          <span class="tag">{[body.format, body.data].filter(Boolean).join(', ')}</span>
        )}
      </h3>
      {children}
      <HeaderTable label={`Headers of ${label}`} header={header} />
      <FieldTable
        label={`Fields of ${label}`}
        rows={body === null ? [] : fieldRows(body.fields, '')}
      />
      {header.length === 0 && (body === null || fieldRows(body.fields, '').length === 0) ? (
        <p class="quiet">No headers and no fields.</p>
      ) : null}
    </section>
  );
}

function Result({ title, result }: { title: string; result: ResultPartsFragment }) {
  const { status, header, body } = result;
  return (
    <Part
      title={`${title}, status ${status}`}
      label={`the response ${status}`}
      header={header}
      body={body}
    />
  );
}

/** Request, responses and pages of an operation, as tables. */
export function OperationDetails({ operation }: { operation: OperationPartsFragment }) {
  const { request, success, fails, pagination } = operation;
  return (
    <div class="operation-details">
      <Part title="Request" label="the request" header={request.header} body={request.body} />
      {success === null ? null : <Result title="Success" result={success} />}
      {fails.map((fail) => (
        <Result key={fail.status} title="Failure" result={fail} />
      ))}
      {pagination.length === 0 ? null : (
        <section class="operation-part">
          <h3>Pages</h3>
          <PaginationTable label="Pages of the operation" pagination={pagination} />
        </section>
      )}
    </div>
  );
}

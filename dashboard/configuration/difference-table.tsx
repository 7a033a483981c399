import type { ConfigDifferencePartsFragment } from '../generated/operations';
import { DataTable } from '../parts/data-table';
import type { Column } from '../parts/data-table';
import { formatConstant } from '../parts/format';
import { valueText } from './values';

const value = (shown: unknown) => <bdi class="config-value">{valueText(shown)}</bdi>;

const COLUMNS: readonly Column<ConfigDifferencePartsFragment>[] = [
  { title: 'Key', cellClass: 'cell-main', cell: ({ path }) => <code>{path}</code> },
  { title: 'Change', cell: ({ change }) => formatConstant(change) },
  { title: 'Before', cell: ({ before }) => value(before) },
  { title: 'After', cell: ({ after }) => value(after) },
];

/** Keys that differ between two states of the file. */
export function DifferenceTable({
  label,
  items,
}: {
  label: string;
  items: readonly ConfigDifferencePartsFragment[];
}) {
  return <DataTable label={label} columns={COLUMNS} items={items} keyOf={({ path }) => path} />;
}

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from './icon';

export interface Column<Item> {
  readonly title: string;
  /** Shows the title only to screen readers. */
  readonly isTitleHidden?: boolean;
  /** Hides the column on narrow screens: another column then shows its content. */
  readonly isWideOnly?: boolean;
  readonly headerClass?: string;
  readonly cellClass?: string;
  readonly cell: (item: Item) => ComponentChildren;
}

/** Details of a row that the user opens below it. */
interface RowDetails<Item> {
  /** Names the row for screen readers: `event 42`. */
  readonly name: (item: Item) => string;
  readonly render: (item: Item) => ComponentChildren;
}

interface TableShape<Item> {
  readonly columns: readonly Column<Item>[];
  readonly details?: RowDetails<Item> | undefined;
}

const classes = (isWideOnly: boolean | undefined, other: string | undefined): string | undefined =>
  [isWideOnly ? 'only-wide' : '', other].filter(Boolean).join(' ') || undefined;

function HeaderRow<Item>({ columns, details }: TableShape<Item>) {
  const hidden = (title: string): ComponentChildren => <span class="unseen">{title}</span>;
  return (
    <tr>
      {columns.map(({ title, isTitleHidden, isWideOnly, headerClass }) => (
        <th key={title} scope="col" class={classes(isWideOnly, headerClass)}>
          {isTitleHidden ? hidden(title) : title}
        </th>
      ))}
      {details === undefined ? null : <th scope="col">{hidden('Details')}</th>}
    </tr>
  );
}

function Row<Item>({ item, columns, details }: TableShape<Item> & { item: Item }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <tr>
        {columns.map(({ title, isWideOnly, cellClass, cell }) => (
          <td key={title} class={classes(isWideOnly, cellClass)}>
            {cell(item)}
          </td>
        ))}
        {details === undefined ? null : (
          <td class="cell-actions">
            <button
              type="button"
              class="button quiet-button"
              aria-expanded={isOpen}
              aria-label={`${isOpen ? 'Less' : 'More'} about ${details.name(item)}`}
              onClick={() => setIsOpen(!isOpen)}
            >
              <Icon name={isOpen ? 'down' : 'right'} size={14} />
              <span>{isOpen ? 'Less' : 'More'}</span>
            </button>
          </td>
        )}
      </tr>
      {details !== undefined && isOpen ? (
        <tr class="row-details">
          <td colSpan={columns.length + 1}>{details.render(item)}</td>
        </tr>
      ) : null}
    </>
  );
}

/**
 * A table of records, one in a row.
 * @param props.label name of the table for screen readers
 * @param props.keyOf returns the id of a record
 * @param props.details adds a column with a button that opens the details of a row
 */
export function DataTable<Item>({
  label,
  columns,
  items,
  keyOf,
  details,
}: TableShape<Item> & {
  label: string;
  items: readonly Item[];
  keyOf: (item: Item) => string | number;
}) {
  return (
    <table class="rows" aria-label={label}>
      <thead>
        <HeaderRow columns={columns} details={details} />
      </thead>
      <tbody>
        {items.map((item) => (
          <Row key={keyOf(item)} item={item} columns={columns} details={details} />
        ))}
      </tbody>
    </table>
  );
}

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatNumber } from './format';
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

/** Rows that the user selects with checkboxes, to change several at once. */
export interface RowSelection<Item> {
  /** Names the row for screen readers: `connector Shop`. */
  readonly name: (item: Item) => string;
  /** Buttons for the selected rows. */
  readonly actions: (items: readonly Item[]) => ComponentChildren;
}

interface TableShape<Item> {
  readonly columns: readonly Column<Item>[];
  readonly details?: RowDetails<Item> | undefined;
}

/** A checkbox cell of a row, or of the header for all rows. */
interface SelectBox {
  readonly label: string;
  readonly state: 'all' | 'some' | 'none';
  readonly onChange: (isSelected: boolean) => void;
}

function SelectInput({ label, state, onChange }: SelectBox) {
  return (
    <input
      type="checkbox"
      aria-label={label}
      checked={state === 'all'}
      indeterminate={state === 'some'}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
}

const classes = (isWideOnly: boolean | undefined, other: string | undefined): string | undefined =>
  [isWideOnly ? 'only-wide' : '', other].filter(Boolean).join(' ') || undefined;

function HeaderRow<Item>({
  columns,
  details,
  box,
}: TableShape<Item> & { box: SelectBox | undefined }) {
  const hidden = (title: string): ComponentChildren => <span class="unseen">{title}</span>;
  return (
    <tr>
      {box === undefined ? null : (
        <th scope="col" class="cell-select">
          {hidden('Selected')}
          <SelectInput {...box} />
        </th>
      )}
      {columns.map(({ title, isTitleHidden, isWideOnly, headerClass }) => (
        <th key={title} scope="col" class={classes(isWideOnly, headerClass)}>
          {isTitleHidden ? hidden(title) : title}
        </th>
      ))}
      {details === undefined ? null : <th scope="col">{hidden('Details')}</th>}
    </tr>
  );
}

function Row<Item>({
  item,
  columns,
  details,
  box,
}: TableShape<Item> & { item: Item; box: SelectBox | undefined }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <tr>
        {box === undefined ? null : (
          <td class="cell-select">
            <SelectInput {...box} />
          </td>
        )}
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
          <td colSpan={columns.length + (box === undefined ? 1 : 2)}>{details.render(item)}</td>
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
 * @param props.selection adds a column of checkboxes, and a bar with actions on the selected rows
 */
export function DataTable<Item>({
  label,
  columns,
  items,
  keyOf,
  details,
  selection,
}: TableShape<Item> & {
  label: string;
  items: readonly Item[];
  keyOf: (item: Item) => string | number;
  selection?: RowSelection<Item> | undefined;
}) {
  const [keys, setKeys] = useState<ReadonlySet<string | number>>(new Set());
  // Rows that are no longer shown are not acted on.
  const selected = items.filter((item) => keys.has(keyOf(item)));
  const select = (changed: readonly Item[], isSelected: boolean): void => {
    const changedKeys = new Set(changed.map(keyOf));
    const others = selected.map(keyOf).filter((key) => !changedKeys.has(key));
    setKeys(new Set(isSelected ? [...others, ...changedKeys] : others));
  };
  const boxOf = (item: Item): SelectBox | undefined =>
    selection && {
      label: `Select ${selection.name(item)}`,
      state: selected.includes(item) ? 'all' : 'none',
      onChange: (isSelected) => select([item], isSelected),
    };
  const allBox: SelectBox | undefined = selection && {
    label: 'Select all on this page',
    state: selected.length === 0 ? 'none' : selected.length === items.length ? 'all' : 'some',
    onChange: (isSelected) => select(items, isSelected),
  };
  return (
    <>
      <table class="rows" aria-label={label}>
        <thead>
          <HeaderRow columns={columns} details={details} box={allBox} />
        </thead>
        <tbody>
          {items.map((item) => (
            <Row
              key={keyOf(item)}
              item={item}
              columns={columns}
              details={details}
              box={boxOf(item)}
            />
          ))}
        </tbody>
      </table>
      {selection === undefined || selected.length === 0 ? null : (
        <div class="selection-bar" role="group" aria-label="Selected rows">
          <span class="num" role="status">
            {formatNumber(selected.length)} selected
          </span>
          {selection.actions(selected)}
          <button type="button" class="button quiet-button" onClick={() => select(selected, false)}>
            Clear
          </button>
        </div>
      )}
    </>
  );
}

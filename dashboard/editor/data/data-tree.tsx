import { useState } from 'preact/hooks';
import { Icon } from '../../parts/icon';
import type { PathPart } from '../fields/references';
import { formatValue } from '../../parts/values';

/** Entries of a list or object that are shown at once. */
const MAX_ENTRIES = 100;

type Entry = readonly [PathPart, unknown];

const entriesOf = (value: unknown): Entry[] => {
  if (Array.isArray(value)) return value.map((entry, at): Entry => [at, entry]);
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
};

const hasEntries = (value: unknown): boolean => entriesOf(value).length > 0;

function summaryOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.length}]`;
  if (typeof value === 'object' && value !== null)
    return hasEntries(value) ? `{${Object.keys(value).length}}` : '{}';
  return typeof value === 'string' ? `"${formatValue(value, 60)}"` : String(value);
}

/** Returns whether a value, its name or anything in it contains the text. */
function matches(name: PathPart, value: unknown, text: string): boolean {
  return (
    String(name).toLowerCase().includes(text) ||
    (hasEntries(value)
      ? entriesOf(value).some(([key, entry]) => matches(key, entry, text))
      : formatValue(value, 1_000).toLowerCase().includes(text))
  );
}

interface DataTreeProps {
  readonly value: unknown;
  readonly path?: readonly PathPart[];
  /** Shows only what contains this text. */
  readonly search?: string;
  readonly onPick: (path: readonly PathPart[]) => void;
}

function TreeEntry({ value, path = [], search = '', onPick }: DataTreeProps) {
  const [isOpen, setIsOpen] = useState(path.length < 3);
  const name = path.at(-1) ?? '';
  const isOpenNow = isOpen || search !== '';
  const title = typeof name === 'number' ? `${name + 1}.` : name;
  return (
    <li>
      <span class="tree-row">
        {hasEntries(value) ? (
          <button
            type="button"
            class="bare"
            aria-expanded={isOpenNow}
            aria-label={`Contents of ${title}`}
            onClick={() => setIsOpen(!isOpen)}
          >
            <Icon name={isOpenNow ? 'down' : 'right'} size={12} />
          </button>
        ) : (
          <span class="tree-indent" />
        )}
        <button type="button" class="tree-value" onClick={() => onPick(path)}>
          <b>
            <bdi>{title}</bdi>
          </b>{' '}
          <span class="quiet">
            <bdi>{summaryOf(value)}</bdi>
          </span>
        </button>
      </span>
      {isOpenNow && hasEntries(value) ? (
        <DataTree value={value} path={path} search={search} onPick={onPick} />
      ) : null}
    </li>
  );
}

/** The contents of a list or object as a tree. A click on an entry picks it. */
export function DataTree({ value, path = [], search = '', onPick }: DataTreeProps) {
  const text = search.trim().toLowerCase();
  const entries = entriesOf(value).filter(
    ([name, entry]) => text === '' || matches(name, entry, text),
  );
  return (
    <ul class="data-tree">
      {entries.slice(0, MAX_ENTRIES).map(([name, entry]) => (
        <TreeEntry
          key={name}
          value={entry}
          path={[...path, name]}
          search={search}
          onPick={onPick}
        />
      ))}
      {entries.length > MAX_ENTRIES ? (
        <li class="quiet">{entries.length - MAX_ENTRIES} more entries</li>
      ) : null}
    </ul>
  );
}

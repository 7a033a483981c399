import { useMemo, useRef, useState } from 'preact/hooks';
import { formatNumber } from './format';

export interface Day {
  /** `2026-05-04`. */
  readonly date: string;
  readonly executions: number;
  readonly failures: number;
}

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});

export const formatDay = (date: string): string => dayFormat.format(new Date(`${date}T00:00:00Z`));

/** The target of a key; outside the range it has no effect. */
const KEY_TARGETS: Readonly<Record<string, (at: number, length: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  Home: () => 0,
  End: (_at, length) => length - 1,
};

interface DayTableProps<T extends Day> {
  readonly days: readonly T[];
  readonly label: string;
  readonly hrefOf: ((day: T) => string) | null;
  /** Called with the date of the focused day, or null when the focus leaves. */
  readonly onFocusDay: (date: string | null) => void;
}

/**
 * The days of a chart for screen readers and keyboard users: one tab stop, with arrow keys within
 * it.
 */
export function DayTable<T extends Day>({ days, label, hrefOf, onFocusDay }: DayTableProps<T>) {
  const table = useRef<HTMLTableElement>(null);
  const [tabStop, setTabStop] = useState<string | null>(null);
  const current = days.some(({ date }) => date === tabStop) ? tabStop : days.at(-1)?.date;

  const moveFocus = (event: KeyboardEvent): void => {
    const links = [...(table.current?.querySelectorAll('a') ?? [])];
    const at = links.findIndex((link) => link === event.target);
    const next = at === -1 ? undefined : KEY_TARGETS[event.key]?.(at, links.length);
    if (next === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    links[next]?.focus();
  };
  const rows = useMemo(
    () =>
      days.map((day) => {
        const { date, executions, failures } = day;
        const focusDay = (): void => {
          setTabStop(date);
          onFocusDay(date);
        };
        const name =
          hrefOf === null ? (
            formatDay(date)
          ) : (
            <a
              href={hrefOf(day)}
              tabIndex={date === current ? 0 : -1}
              onFocus={focusDay}
              onBlur={() => onFocusDay(null)}
            >
              {formatDay(date)}
            </a>
          );
        return (
          <tr key={date}>
            <th scope="row">{name}</th>
            <td>{formatNumber(executions)}</td>
            <td>{formatNumber(failures)}</td>
          </tr>
        );
      }),
    [days, current, hrefOf === null],
  );
  return (
    <table ref={table} class="unseen" onKeyDown={moveFocus}>
      <caption>{label}</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col">Runs</th>
          <th scope="col">Failed</th>
        </tr>
      </thead>
      <tbody>{rows}</tbody>
    </table>
  );
}

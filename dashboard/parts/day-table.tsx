import { useMemo, useRef, useState } from 'preact/hooks';
import { count } from './format';

export interface Day {
  /** `2026-05-04`. */
  readonly date: string;
  readonly executions: number;
  readonly failures: number;
}

const dayName = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});

export const dayText = (date: string): string => dayName.format(new Date(`${date}T00:00:00Z`));

/** The target of a key; outside the range it has no effect. */
const STEPS: Readonly<Record<string, (at: number, length: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  Home: () => 0,
  End: (_at, length) => length - 1,
};

interface DayTableProps<T extends Day> {
  readonly days: readonly T[];
  readonly label: string;
  readonly to: ((day: T) => string) | null;
  /** Called with the date of the focused day, or null when the focus leaves. */
  readonly onDay: (date: string | null) => void;
}

/**
 * The days of a chart for screen readers and keyboard users: one tab stop, with arrow keys within
 * it.
 */
export function DayTable<T extends Day>({ days, label, to, onDay }: DayTableProps<T>) {
  const table = useRef<HTMLTableElement>(null);
  const [stop, setStop] = useState<string | null>(null);
  const current = days.some(({ date }) => date === stop) ? stop : days.at(-1)?.date;

  const walk = (event: KeyboardEvent): void => {
    const links = [...(table.current?.querySelectorAll('a') ?? [])];
    const at = links.findIndex((link) => link === event.target);
    const next = at === -1 ? undefined : STEPS[event.key]?.(at, links.length);
    if (next === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    links[next]?.focus();
  };
  const rows = useMemo(
    () =>
      days.map((day) => {
        const { date, executions, failures } = day;
        const come = (): void => {
          setStop(date);
          onDay(date);
        };
        const name =
          to === null ? (
            dayText(date)
          ) : (
            <a
              href={to(day)}
              tabIndex={date === current ? 0 : -1}
              onFocus={come}
              onBlur={() => onDay(null)}
            >
              {dayText(date)}
            </a>
          );
        return (
          <tr key={date}>
            <th scope="row">{name}</th>
            <td>{count(executions)}</td>
            <td>{count(failures)}</td>
          </tr>
        );
      }),
    [days, current, to === null],
  );
  return (
    <table ref={table} class="unseen" onKeyDown={walk}>
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

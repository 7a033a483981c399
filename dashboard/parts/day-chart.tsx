import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { go } from '../place';
import { DayTable, dayText } from './day-table';
import type { Day } from './day-table';
import { count, counted } from './format';

interface Size {
  readonly width: number;
  readonly height: number;
}

const sizeOf = ({ clientWidth: width, clientHeight: height }: HTMLElement): Size => ({
  width,
  height,
});

const GAP = 0.3;
const WIDEST = 46;
const AWAY = { left: -10, top: -10 };
const dark = matchMedia('(prefers-color-scheme: dark)');
const colour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function optionsOf(days: () => readonly Day[], { width, height }: Size): uPlot.Options {
  const [good, bad, quiet, line] = ['--chart', '--bad', '--quiet', '--line'].map(colour) as [
    string,
    string,
    string,
    string,
  ];
  const font = '12px system-ui, sans-serif';
  const bars = uPlot.paths.bars?.({ size: [1 - GAP, WIDEST], radius: 0.12 });
  const series = (label: string, fill: string): uPlot.Series => ({
    label,
    fill,
    stroke: fill,
    width: 0,
    points: { show: false },
    ...(bars ? { paths: bars } : {}),
  });
  return {
    width,
    height,
    legend: { show: false },
    cursor: { points: { show: false }, drag: { x: false, y: false }, y: false },
    scales: {
      x: { time: false, range: (_plot, _min, _max) => [-0.6, Math.max(days().length, 1) - 0.4] },
      y: { range: (_plot, _min, max) => [0, Math.max(max * 1.08, 4)] },
    },
    axes: [
      {
        stroke: quiet,
        font,
        grid: { show: false },
        ticks: { show: false },
        size: 26,
        values: (_plot, splits) =>
          splits.map((at) => (Number.isInteger(at) ? dayText(days()[at]?.date ?? '') : '')),
        splits: () => shownDays(days().length, width),
      },
      {
        stroke: quiet,
        font,
        grid: { stroke: line, width: 1 },
        ticks: { show: false },
        size: 46,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6, 1e7],
        values: (_plot, splits) => splits.map(count),
      },
    ],
    // Failures are drawn in front of all runs, so the visible rest succeeded.
    series: [{}, series('Runs', good), series('Failed', bad)],
  };
}

/** Returns the indexes of the labelled days, as many as fit, including the last. */
function shownDays(length: number, width: number): number[] {
  const step = Math.max(1, Math.ceil(length / Math.max(2, Math.floor((width - 50) / 64))));
  return Array.from(
    { length: Math.ceil(length / step) },
    (_, at) => length - 1 - at * step,
  ).reverse();
}

const dataOf = (days: readonly Day[]): uPlot.AlignedData => [
  days.map((_, at) => at),
  days.map((day) => day.executions),
  days.map((day) => day.failures),
];

/**
 * Runs per day as columns that link to `to`, with a table for screen readers and keyboard users.
 */
export function DayChart<T extends Day>({
  days,
  label,
  to,
}: {
  days: readonly T[];
  label: string;
  to: ((day: T) => string) | null;
}) {
  const box = useRef<HTMLDivElement>(null);
  const tip = useRef<HTMLDivElement>(null);
  const shown = useRef(days);
  const plot = useRef<uPlot | null>(null);
  const redraw = useRef<() => void>(() => undefined);
  const leads = useRef(to);
  leads.current = to;
  const keyed = useRef<string | null>(null);

  /** Moves the cursor to the focused day, or hides it. */
  const follow = (made: uPlot): void => {
    const at = shown.current.findIndex(({ date }) => date === keyed.current);
    made.setCursor(at === -1 ? AWAY : { left: made.valToPos(at, 'x'), top: 0 });
  };

  useEffect(() => {
    const place = box.current;
    if (place === null) return undefined;
    const dayAt = ({ cursor }: uPlot): T | undefined => shown.current[cursor.idx ?? -1];
    const point = (made: uPlot): void => {
      const day = dayAt(made);
      const text = tip.current;
      if (text === null) return;
      text.hidden = day === undefined;
      if (day === undefined) return;
      text.textContent = `${dayText(day.date)}: ${counted(day.executions, 'run', 'runs')}, ${count(day.failures)} failed`;
      text.style.left = `${Math.min(Math.max(made.cursor.left ?? 0, 0) + 46, place.clientWidth - text.offsetWidth)}px`;
    };
    const lead = (made: uPlot): void =>
      made.over.addEventListener('click', () => {
        const day = dayAt(made);
        if (day !== undefined && leads.current !== null) go(leads.current(day));
      });
    const draw = (): void => {
      plot.current?.destroy();
      plot.current = new uPlot(
        {
          ...optionsOf(() => shown.current, sizeOf(place)),
          hooks: { init: [lead], ready: [follow], setCursor: [point] },
        },
        dataOf(shown.current),
        place,
      );
    };
    redraw.current = draw;
    draw();
    let drawn = sizeOf(place);
    const sizes = new ResizeObserver(() => {
      const now = sizeOf(place);
      if (now.width === drawn.width && now.height === drawn.height) return;
      drawn = now;
      draw();
    });
    sizes.observe(place);
    dark.addEventListener('change', draw);
    return () => {
      sizes.disconnect();
      dark.removeEventListener('change', draw);
      plot.current?.destroy();
      plot.current = null;
    };
  }, []);

  useEffect(() => {
    const isSameRange =
      shown.current.length === days.length && shown.current[0]?.date === days[0]?.date;
    shown.current = days;
    if (isSameRange) plot.current?.setData(dataOf(days));
    else redraw.current();
  }, [days]);

  const come = (date: string | null): void => {
    keyed.current = date;
    if (plot.current !== null) follow(plot.current);
  };
  return (
    <div class="chart">
      <div ref={box} class={to === null ? 'plot' : 'plot plot-leads'} aria-hidden="true" />
      <div ref={tip} class="tip" aria-hidden="true" hidden />
      <DayTable days={days} label={label} to={to} onDay={come} />
    </div>
  );
}

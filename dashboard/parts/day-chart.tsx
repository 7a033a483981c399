import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { navigate } from '../router';
import { DayTable, formatDay } from './day-table';
import type { Day } from './day-table';
import { formatNumber, formatQuantity } from './format';

interface Size {
  readonly width: number;
  readonly height: number;
}

const sizeOf = ({ clientWidth: width, clientHeight: height }: HTMLElement): Size => ({
  width,
  height,
});

const BAR_GAP = 0.3;
const MAX_BAR_WIDTH = 46;
/** Width of the labels next to the columns, px. */
const AXIS_WIDTH = 46;
const OUTSIDE = { left: -10, top: -10 };
const darkScheme = matchMedia('(prefers-color-scheme: dark)');
const cssColor = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function optionsOf(days: () => readonly Day[], { width, height }: Size): uPlot.Options {
  const [good, bad, quiet, line] = ['--chart', '--bad', '--quiet', '--line'].map(cssColor) as [
    string,
    string,
    string,
    string,
  ];
  const font = '12px system-ui, sans-serif';
  const bars = uPlot.paths.bars?.({ size: [1 - BAR_GAP, MAX_BAR_WIDTH], radius: 0.12 });
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
          splits.map((at) => (Number.isInteger(at) ? formatDay(days()[at]?.date ?? '') : '')),
        splits: () => labelledDays(days().length, width),
      },
      {
        stroke: quiet,
        font,
        grid: { stroke: line, width: 1 },
        ticks: { show: false },
        size: AXIS_WIDTH,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6, 1e7],
        values: (_plot, splits) => splits.map(formatNumber),
      },
    ],
    // Failures are drawn in front of all runs, so the visible rest succeeded.
    series: [{}, series('Runs', good), series('Failed', bad)],
  };
}

/** Returns the indexes of the labelled days, as many as fit, including the last. */
function labelledDays(length: number, width: number): number[] {
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

/** Draws days as columns into an element, with a tooltip for the day under the cursor. */
class DayPlot<T extends Day> {
  #plot: uPlot | null = null;
  #size: Size;
  #focusedDate: string | null = null;
  readonly #resizes = new ResizeObserver(() => this.#redrawIfResized());

  constructor(
    private readonly container: HTMLElement,
    private readonly tooltip: HTMLElement,
    private days: readonly T[],
    private readonly onClick: (day: T) => void,
  ) {
    this.#size = sizeOf(container);
    this.#draw();
    this.#resizes.observe(container);
    darkScheme.addEventListener('change', this.#draw);
  }

  setDays(days: readonly T[]): void {
    const isSameRange = this.days.length === days.length && this.days[0]?.date === days[0]?.date;
    this.days = days;
    if (isSameRange) this.#plot?.setData(dataOf(days));
    else this.#draw();
  }

  /** Moves the cursor to a day, or hides it. */
  focusDay(date: string | null): void {
    this.#focusedDate = date;
    if (this.#plot !== null) this.#moveCursor(this.#plot);
  }

  destroy(): void {
    this.#resizes.disconnect();
    darkScheme.removeEventListener('change', this.#draw);
    this.#plot?.destroy();
    this.#plot = null;
  }

  readonly #draw = (): void => {
    this.#plot?.destroy();
    this.#plot = new uPlot(
      {
        ...optionsOf(() => this.days, sizeOf(this.container)),
        hooks: {
          init: [(plot) => this.#listenToClicks(plot)],
          ready: [(plot) => this.#moveCursor(plot)],
          setCursor: [(plot) => this.#showTooltip(plot)],
        },
      },
      dataOf(this.days),
      this.container,
    );
  };

  #redrawIfResized(): void {
    const size = sizeOf(this.container);
    if (size.width === this.#size.width && size.height === this.#size.height) return;
    this.#size = size;
    this.#draw();
  }

  #dayAtCursor({ cursor }: uPlot): T | undefined {
    return this.days[cursor.idx ?? -1];
  }

  #moveCursor(plot: uPlot): void {
    const at = this.days.findIndex(({ date }) => date === this.#focusedDate);
    plot.setCursor(at === -1 ? OUTSIDE : { left: plot.valToPos(at, 'x'), top: 0 });
  }

  #listenToClicks(plot: uPlot): void {
    plot.over.addEventListener('click', () => {
      const day = this.#dayAtCursor(plot);
      if (day !== undefined) this.onClick(day);
    });
  }

  #showTooltip(plot: uPlot): void {
    const { tooltip, container } = this;
    const day = this.#dayAtCursor(plot);
    tooltip.hidden = day === undefined;
    if (day === undefined) return;
    tooltip.textContent = `${formatDay(day.date)}: ${formatQuantity(day.executions, 'run', 'runs')}, ${formatNumber(day.failures)} failed`;
    const left = Math.max(plot.cursor.left ?? 0, 0) + AXIS_WIDTH;
    tooltip.style.left = `${Math.min(left, container.clientWidth - tooltip.offsetWidth)}px`;
  }
}

/**
 * Runs per day as columns that link to `hrefOf`, with a table for screen readers and keyboard
 * users.
 */
export function DayChart<T extends Day>({
  days,
  label,
  hrefOf,
}: {
  days: readonly T[];
  label: string;
  hrefOf: ((day: T) => string) | null;
}) {
  const container = useRef<HTMLDivElement>(null);
  const tooltip = useRef<HTMLDivElement>(null);
  const plot = useRef<DayPlot<T> | null>(null);
  const currentHrefOf = useRef(hrefOf);
  currentHrefOf.current = hrefOf;

  useEffect(() => {
    if (container.current === null || tooltip.current === null) return undefined;
    const created = new DayPlot(container.current, tooltip.current, days, (day) => {
      if (currentHrefOf.current !== null) navigate(currentHrefOf.current(day));
    });
    plot.current = created;
    return () => created.destroy();
  }, []);
  useEffect(() => plot.current?.setDays(days), [days]);

  return (
    <div class="chart">
      <div
        ref={container}
        class={hrefOf === null ? 'plot' : 'plot plot-leads'}
        aria-hidden="true"
      />
      <div ref={tooltip} class="tip" aria-hidden="true" hidden />
      <DayTable
        days={days}
        label={label}
        hrefOf={hrefOf}
        onFocusDay={(date) => plot.current?.focusDay(date)}
      />
    </div>
  );
}

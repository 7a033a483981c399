import type { Browser, Page } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Time of the thread, µs. */
  readonly tdur?: number;
  readonly args?: { readonly name?: unknown };
}

const TASK = 'ThreadControllerImpl::RunTask';

/**
 * How long the page's own thread worked, ms, in each of its tasks while `work` went on, the longest first. The `longtask` entries of a page count
 * the clock, and so include the work of other processes at that time.
 */
export async function pageTasks(
  browser: Browser,
  page: Page,
  work: () => Promise<void>,
): Promise<number[]> {
  await browser.startTracing(page, { categories: ['toplevel'] });
  let trace: Buffer;
  try {
    await work();
  } finally {
    trace = await browser.stopTracing();
  }
  const { traceEvents } = JSON.parse(trace.toString()) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid}/${tid}`;
  const pages = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(threadOf),
  );
  // What goes on when the browser is asked has no length yet.
  const tasks = traceEvents.flatMap((event) =>
    event.name === TASK && event.tdur !== undefined && pages.has(threadOf(event))
      ? [event.tdur / 1_000]
      : [],
  );
  if (tasks.length === 0) throw new Error('The browser reported no task of the page.');
  return tasks.toSorted((one, other) => other - one);
}

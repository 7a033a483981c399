import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { CHROMIUM } from '../test/support/browser/browser';
import { onDashboard } from '../test/support/browser/dashboard';
import { createExample, runAll } from '../test/support/browser/dashboard-example';
import { remoteSystem } from '../test/support/peers/remote-system';
import { ended } from '../test/support/service/watch';
import { method, saved, started, workflow } from '../test/support/documents/workflows';
import { firstMoment } from './dashboard/first-moment';
import { pageTasks } from './dashboard/page-tasks';
import { median } from './measure/in-turn';
import type { BenchResult } from './result';
import { startProbedService } from './service/probed-service';
import type { ProbedService } from './service/probed-service';

const SECONDS = Number(process.env.DASHBOARD_SECONDS ?? 60);
const TIMES = Number(process.env.DASHBOARD_TIMES ?? 5);
const [OUTER, INNER] = [50, Number(process.env.DASHBOARD_INNER ?? 1_200)];
const EVENTS_A_SECOND = 50;
/** The iteration itself, and the start and the end of its call. */
const EVENTS_AN_ITERATION = 3;
const LONG_TASK_MS = 50;

interface Opened {
  readonly page: Page;
  readonly open: (path: string) => Promise<void>;
}

async function newPage(browser: Browser, service: ProbedService): Promise<Opened> {
  const page = await (
    await browser.newContext({ viewport: { width: 1280, height: 800 } })
  ).newPage();
  return { page, open: (path) => onDashboard({ page, service }).open(path) };
}

/** Time until a new page shows the given number of elements, ms; nothing is cached. */
async function firstPicture(
  browser: Browser,
  service: ProbedService,
  name: string,
  path: string,
  expectedCounts: Readonly<Record<string, number>>,
): Promise<BenchResult> {
  const times: number[] = [];
  for (let nth = 0; nth < TIMES; nth += 1) {
    const { page, open } = await newPage(browser, service);
    const shown = await firstMoment(page, expectedCounts);
    await open(path);
    times.push(await shown());
    await page.context().close();
  }
  return {
    name,
    value: median(times),
    unit: 'ms',
    target: { below: 1_000 },
    detail: `median of ${TIMES}, at most ${Math.round(Math.max(...times))}`,
  };
}

async function overview(browser: Browser, service: ProbedService): Promise<BenchResult> {
  const its = await createExample(service);
  its.refuse(500);
  for (const run of await runAll(service, [...its.workflows, ...its.workflows, ...its.workflows]))
    await ended(service, run);
  const result = await firstPicture(browser, service, 'first picture of the overview', '', {
    '.top-list li': 1,
    'table.rows tbody tr': 2,
  });
  await its.close();
  return result;
}

async function longRun(browser: Browser, service: ProbedService): Promise<BenchResult> {
  const outer = Array.from({ length: OUTER }, (_, nth) => nth);
  const inner = Array.from({ length: INNER }, (_, nth) => nth);
  const remote = await remoteSystem(() => ({ body: { outer, inner } }));
  const list = (name: string): string => `For({%#FFCFB5.(response).body.${name}%})`;
  const id = await saved(
    service,
    workflow(
      [method('0', `${remote.url}/lists`, { color: '#FFCFB5' })],
      [
        { id: 'outer', index: '1', type: 'loop', iterator: 'i', expression: list('outer') },
        { id: 'inner', index: '1_0', type: 'loop', iterator: 'j', expression: list('inner') },
        { id: 'if', index: '1_0_0', type: 'if', expression: '1 = 2' },
      ],
    ),
  );
  const run = await started(service, id, true);
  await ended(service, run);
  await remote.close();
  return firstPicture(
    browser,
    service,
    `first picture of a run of ${OUTER * INNER} iterations`,
    `runs/${run}`,
    { '.step-line .state': 1 },
  );
}

/** Seconds that the page's own thread has worked. */
async function workedSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN;
}

/** A page that follows 50 events a second. */
async function following(
  browser: Browser,
  service: ProbedService,
  view: 'run' | 'overview',
): Promise<BenchResult[]> {
  const items = Array.from(
    { length: Math.ceil((3 * SECONDS * EVENTS_A_SECOND) / EVENTS_AN_ITERATION) },
    (_, item) => item,
  );
  const remote = await remoteSystem(async ({ path }) => {
    if (path === '/items') return { body: { items } };
    await pause((1_000 * EVENTS_AN_ITERATION) / EVENTS_A_SECOND);
    return { body: { text: 'An answer of some length. '.repeat(20) } };
  });
  const steady = await saved(
    service,
    workflow(
      [
        method('0', `${remote.url}/items`, { color: '#FFCFB5' }),
        method('1_0', `${remote.url}/one`, { color: '#C77E7E' }),
      ],
      [
        {
          id: 'each',
          index: '1',
          type: 'loop',
          iterator: 'i',
          expression: 'For({%#FFCFB5.(response).body.items%})',
        },
      ],
    ),
  );
  const short = await saved(service, workflow([method('0', `${remote.url}/short`)]));
  const run = await started(service, steady, true);
  const { page, open } = await newPage(browser, service);
  await open(view === 'run' ? `runs/${run}?step=1_0` : '');
  await page.waitForSelector('.live-open');
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const [from, before] = [performance.now(), await workedSeconds(session)];
  const tasks = await pageTasks(browser, page, async () => {
    // The lists change, too: other runs start and end.
    while (performance.now() - from < SECONDS * 1_000) {
      await started(service, short);
      await pause(500);
    }
  });
  const share = ((await workedSeconds(session)) - before) / ((performance.now() - from) / 1_000);
  await service.data(
    'mutation($id: ID!) { runCancel(input: { id: $id }) { userErrors { code } } }',
    { id: String(run) },
  );
  await page.context().close();
  await remote.close();
  return [
    {
      name: `the page of the ${view}: tasks of more than ${LONG_TASK_MS} ms in ${SECONDS} s`,
      value: tasks.filter((ms) => ms > LONG_TASK_MS).length,
      unit: '',
      target: { exactly: 0 },
      detail: `of ${tasks.length}; longest ${Math.round(tasks[0] ?? 0)} ms`,
    },
    {
      name: `the page of the ${view}: work of its thread`,
      value: 100 * share,
      unit: '% of a core',
      target: { below: 50 },
    },
  ];
}

/** The dashboard of the built service (`npm run build` first) in Chromium: when it first shows data, and what it costs the browser to follow events. */
export async function run(): Promise<BenchResult[]> {
  if (CHROMIUM === undefined) throw new Error('Chromium is not installed: set CHROMIUM_PATH.');
  const service = await startProbedService({}, join(process.cwd(), 'dist/main.js'));
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const script = await (await fetch(`${service.url}/assets/dashboard.js`)).arrayBuffer();
    return [
      {
        name: 'script of the dashboard, compressed',
        value: gzipSync(Buffer.from(script)).length,
        unit: 'bytes',
        target: { below: 100_000 },
        judged: true,
      },
      await overview(browser, service),
      await longRun(browser, service),
      ...(await following(browser, service, 'run')),
      ...(await following(browser, service, 'overview')),
    ];
  } finally {
    await browser.close();
    await service.close();
  }
}

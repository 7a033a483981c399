import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { startService } from '../service/harness';
import type { ServiceOptions, TestService } from '../service/harness';

/** The installed browser, if any. */
export const CHROMIUM = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path));

export const CHROMIUM_OPTIONS = {
  executablePath: join(__dirname, 'chromium.sh'),
  args: ['--no-sandbox'],
  env: { ...process.env, CHROMIUM },
};

/** A busy machine needs minutes for the first page of a browser. */
const WAIT_MS = 200_000;

/** Opens a page with separate storage. */
export async function newPage(browser: Browser, options?: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(WAIT_MS);
  return context.newPage();
}

/** Collects page errors, violations of the content security policy and requests to services other than `base`. */
export function complaintsOf(page: Page, base: string): string[] {
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    if (
      message.type() === 'error' &&
      !message.text().includes('the server responded with a status of')
    )
      complaints.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(base) && !/^(?:data|blob):/.test(request.url()))
      complaints.push(`asked ${request.url()}`);
  });
  return complaints;
}

/** Submits the sign-in form in the bar. */
export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.fill('#sign-in [name=email]', email);
  await page.fill('#sign-in [name=password]', password);
  await page.click('#sign-in button');
}

/** Opens an operation in the API browser via its search, because only visible operations are rendered. */
export async function openOperation(page: Page, path: string, id?: string): Promise<Locator> {
  await page.fill('.operation-filter-input', path);
  const operation =
    id === undefined
      ? page.locator('.opblock', { hasText: path }).first()
      : page.locator(`#operations-${id}`);
  await operation.locator('.opblock-summary-control').click();
  return operation;
}

export async function runOperation(page: Page, operation: string): Promise<void> {
  await page.locator('.graphiql-query-editor .CodeMirror').click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(operation);
  // GraphiQL parses the document after a debounce; then its storage contains the new text.
  await page.waitForFunction(
    (text) => Reflect.get(globalThis, 'localStorage').getItem('graphiql:query') === text,
    operation,
  );
  await page.click('.graphiql-execute-button');
}

/** A service, a browser and the page of the current test. */
export interface InBrowser {
  readonly service: TestService;
  readonly browser: Browser;
  readonly page: Page;
  /** Replaces the page of this test by one with separate storage. */
  openPage(viewport?: { width: number; height: number }): Promise<void>;
}

const VIEWPORT = { width: 1280, height: 800 };

/** Pages that a test changed in a way that cannot be undone. */
const changed = new WeakSet<Page>();

function markWhenChanged(page: Page): void {
  const watch = <T extends object>(target: T, names: readonly (keyof T)[]): void => {
    for (const name of names) {
      const original = target[name] as (...given: unknown[]) => unknown;
      Reflect.set(target, name, (...given: unknown[]) => {
        changed.add(page);
        return original.apply(target, given);
      });
    }
  };
  watch(page, ['on', 'routeWebSocket', 'exposeFunction']);
  watch(page.clock, ['install', 'setFixedTime', 'setSystemTime']);
}

/** Makes a page look like a new one. Chromium needs more than a second of a processor for a new page. */
async function reset(page: Page, base: string): Promise<void> {
  await page.goto(`${base}/config.json`);
  await page.evaluate(() => {
    for (const name of ['sessionStorage', 'localStorage']) Reflect.get(globalThis, name).clear();
  });
  await page.goto('about:blank');
  await page.mouse.move(0, 0);
  await page.setViewportSize(VIEWPORT);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Browser tests, skipped if no browser is installed. Each test begins with an empty page and fails on page errors and logged errors. */
export function describeInBrowser(
  name: string,
  tests: (at: InBrowser) => void,
  options: ServiceOptions = {},
): void {
  (CHROMIUM === undefined ? describe.skip : describe)(
    `${name}${CHROMIUM === undefined ? ' (skipped: chromium is not installed)' : ''}`,
    () => {
      let service: TestService;
      let browser: Browser;
      let page: Page | undefined;
      let complaints: string[][] = [];
      const closePage = async (): Promise<void> => {
        // Changed responses may still be on their way.
        await page?.unrouteAll({ behavior: 'ignoreErrors' });
        await page?.context().close();
        page = undefined;
      };
      const openPage: InBrowser['openPage'] = async (viewport = VIEWPORT) => {
        await closePage();
        page = await newPage(browser, { viewport });
        complaints.push(complaintsOf(page, service.url));
        markWhenChanged(page);
      };
      beforeAll(async () => {
        service = await startService(options);
        browser = await chromium.launch(CHROMIUM_OPTIONS);
      });
      afterAll(async () => {
        await browser.close();
        await service.close();
      });
      beforeEach(async () => {
        if (page === undefined) await openPage();
      });
      afterEach(async () => {
        const failures = [
          ...complaints.flat(),
          ...service.logs.filter(({ level }) => level === 'error'),
        ];
        if (page !== undefined) {
          // Route handlers of the test may still be running.
          await page.unrouteAll({ behavior: 'ignoreErrors' });
          await (changed.has(page) ? closePage() : reset(page, service.url));
        }
        complaints = page === undefined ? [] : complaints.slice(-1);
        for (const ofPage of complaints) ofPage.length = 0;
        expect(failures).toEqual([]);
      });
      tests({
        get service() {
          return service;
        },
        get browser() {
          return browser;
        },
        get page() {
          if (page === undefined) throw new Error('There is a page only during a test.');
          return page;
        },
        openPage,
      });
    },
  );
}

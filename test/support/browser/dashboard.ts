import { readFileSync } from 'node:fs';
import type { Locator, WebSocketRoute } from 'playwright-core';
import type { InBrowser } from './browser';
import { ADMIN_EMAIL } from '../service/harness';
import type { ReachedService } from '../service/harness';

interface Person {
  readonly email: string;
  readonly password: string;
}

/** The storage key of the session on a service without a path prefix. */
const KEY = 'hypha:session:/';

/** Actions and queries of tests on the dashboard. */
export function onDashboard(at: Pick<InBrowser, 'page'> & { readonly service: ReachedService }) {
  const signIn = async (email: string, password: string): Promise<void> => {
    await at.page.fill('[name=email]', email);
    await at.page.fill('[name=password]', password);
    await at.page.click('button[type=submit]');
  };
  const dialog = () => at.page.getByRole('dialog');
  const sidewaysScroll = (): Promise<number> =>
    at.page.evaluate(() => {
      const { scrollWidth, clientWidth } = Reflect.get(globalThis, 'document').documentElement;
      return scrollWidth - clientWidth;
    });
  const findings = async (): Promise<string[]> => {
    await at.page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
    const { violations } = (await at.page.evaluate(() => Reflect.get(globalThis, 'axe').run())) as {
      violations: { id: string; impact: string; nodes: { html: string }[] }[];
    };
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  };
  return {
    signIn,

    card: (title: string): Locator =>
      at.page.locator('section.card', {
        has: at.page.getByRole('heading', { name: title, exact: true }),
      }),
    button: (name: string): Locator => at.page.getByRole('button', { name, exact: true }),
    field: (name: string): Locator => at.page.getByLabel(name, { exact: true }),
    dialog,
    inDialog: (name: string): Locator => dialog().getByRole('button', { name, exact: true }),
    rowWith: (text: string): Locator => at.page.locator('tbody tr', { hasText: text }),

    /** Checks a page with axe, also at 360 px, where nothing may be wider than the window. */
    checkPage: async (): Promise<void> => {
      expect(await findings()).toEqual([]);
      await at.page.setViewportSize({ width: 360, height: 740 });
      expect(await sidewaysScroll()).toBe(0);
      expect(await findings()).toEqual([]);
      await at.page.setViewportSize({ width: 1280, height: 800 });
    },

    /** Opens a page signed in, by default as the administrator. */
    open: async (path: string, person?: Person): Promise<void> => {
      const signedIn =
        person === undefined
          ? await at.page.addInitScript(
              ([key, kept]) => Reflect.get(globalThis, 'sessionStorage').setItem(key, kept),
              [
                KEY,
                JSON.stringify({ authorization: at.service.adminToken, email: ADMIN_EMAIL }),
              ] as const,
            )
          : null;
      await at.page.goto(
        `${at.service.url}/dashboard${path === '' || path.startsWith('?') ? path : `/${path}`}`,
      );
      await signedIn?.dispose();
      if (person !== undefined) await signIn(person.email, person.password);
      await at.page.waitForSelector('main#page');
    },

    /** Waits for an element with this text. */
    seen: (selector: string, text: string): Promise<void> =>
      at.page.locator(selector, { hasText: text }).first().waitFor(),

    /** Opens a page by its menu. */
    openByMenu: async (label: string): Promise<void> => {
      const link = at.page.getByRole('link', { name: label, exact: true, includeHidden: true });
      const menu = at.page.locator('.nav-menu', { has: link });
      await menu.getByRole('button').click();
      await menu.getByRole('link', { name: label, exact: true }).click();
    },

    row: (run: number): Locator =>
      at.page.locator('tbody tr', { has: at.page.locator(`.quiet:text-is("#${run}")`) }),

    /** The `Bearer ...` token of the page. */
    token: async (): Promise<string> =>
      /Bearer [\w.-]+/.exec(
        await at.page.evaluate(() => JSON.stringify(Reflect.get(globalThis, 'sessionStorage'))),
      )?.[0] ?? 'none',

    /** Horizontal overflow of the page, px. */
    sidewaysScroll,

    /** Serious and critical findings of axe. */
    findings,

    /** The text of the focused element. */
    focused: (): Promise<string> =>
      at.page.evaluate(() => Reflect.get(globalThis, 'document').activeElement.innerText.trim()),

    /** Routes new sockets of the page over a connection that can be cut. */
    lineThatBreaks: async (): Promise<{ cut(): void; mend(): void }> => {
      let isCut = false;
      const open = new Set<WebSocketRoute>();
      await at.page.routeWebSocket(/\/graphql$/, (socket) => {
        if (isCut) return void socket.close({ code: 4_000 });
        socket.connectToServer();
        open.add(socket);
      });
      return {
        cut() {
          isCut = true;
          for (const socket of open) void socket.close({ code: 4_000 });
          open.clear();
        },
        mend() {
          isCut = false;
        },
      };
    },
  };
}

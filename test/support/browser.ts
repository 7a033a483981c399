import { existsSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** The browser that is installed here, if one is. */
export const CHROMIUM = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => path !== undefined && existsSync(path));

export const CHROMIUM_OPTIONS = { executablePath: CHROMIUM, args: ['--no-sandbox'] };

/** What a page had better not do, as it happens: fail, break the content security policy, ask another service than the one at `base`. */
export function complaintsOf(page: Page, base: string): string[] {
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('the server responded with a status of')) complaints.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(base) && !/^(?:data|blob):/.test(request.url())) complaints.push(`asked ${request.url()}`);
  });
  return complaints;
}

/** Fills in the form in the bar. */
export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.fill('#sign-in [name=email]', email);
  await page.fill('#sign-in [name=password]', password);
  await page.click('#sign-in button');
}

/** Runs an operation in GraphiQL. */
export async function runOperation(page: Page, operation: string): Promise<void> {
  await page.locator('.graphiql-query-editor .CodeMirror').click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(operation);
  // GraphiQL reads the document a moment after the last key; it has when it keeps the new text.
  await page.waitForFunction((text) => Reflect.get(globalThis, 'localStorage').getItem('graphiql:query') === text, operation);
  await page.click('.graphiql-execute-button');
}

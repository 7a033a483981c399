import type { Page } from 'playwright-core';

const MOMENT_KEY = 'firstMoment';

/**
 * Makes each page that is loaded afterwards record when it first has the given number of elements of each selector. The returned function
 * waits for that time of the current page, in ms after its request.
 */
export async function firstMoment(
  page: Page,
  expectedCounts: Readonly<Record<string, number>>,
): Promise<() => Promise<number>> {
  await page.addInitScript(
    ([key, counts]) => {
      const { MutationObserver: Mutations, document, performance } = globalThis as any;
      new Mutations((_all: unknown, observer: { disconnect(): void }) => {
        if (
          !Object.entries(counts).every(
            ([selector, count]) => document.querySelectorAll(selector).length >= count,
          )
        )
          return;
        Reflect.set(globalThis, key, performance.now());
        observer.disconnect();
      }).observe(document, { childList: true, subtree: true });
    },
    [MOMENT_KEY, expectedCounts] as const,
  );
  return async () => {
    await page.waitForFunction((key) => Reflect.has(globalThis, key), MOMENT_KEY);
    return page.evaluate((key) => Reflect.get(globalThis, key) as number, MOMENT_KEY);
  };
}

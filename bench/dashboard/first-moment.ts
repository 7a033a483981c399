import type { Page } from 'playwright-core';

const KEPT = 'firstMoment';

/**
 * Makes each page that is loaded afterwards record when it first has the given number of elements of each selector. The returned function
 * waits for that time of the current page, in ms after its request.
 */
export async function firstMoment(
  page: Page,
  wanted: Readonly<Record<string, number>>,
): Promise<() => Promise<number>> {
  await page.addInitScript(
    ([kept, counts]) => {
      const { MutationObserver: Mutations, document, performance } = globalThis as any;
      new Mutations((_all: unknown, observer: { disconnect(): void }) => {
        if (
          !Object.entries(counts).every(
            ([selector, count]) => document.querySelectorAll(selector).length >= count,
          )
        )
          return;
        Reflect.set(globalThis, kept, performance.now());
        observer.disconnect();
      }).observe(document, { childList: true, subtree: true });
    },
    [KEPT, wanted] as const,
  );
  return async () => {
    await page.waitForFunction((kept) => Reflect.has(globalThis, kept), KEPT);
    return page.evaluate((kept) => Reflect.get(globalThis, kept) as number, KEPT);
  };
}

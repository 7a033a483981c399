import type { Page } from 'playwright-core';

const KEPT = 'firstMoment';

/**
 * Pages that are loaded from now on keep the moment at which they first have so many elements of each selector. What is returned waits for
 * that of the page now, ms after it was asked for.
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

/*
 * `longIt` and `longDescribe` register tests that run only with `npm run test:long`, which skips the other tests of the
 * file. `scripts/test.mjs` recognises those by the prefix and does not count them as skipped.
 */
const IS_LONG_RUN = process.env.HYPHA_LONG_TESTS === '1';
const PREFIX = '(npm test) ';

const { it: runIt, describe: runDescribe } = globalThis;

function replacement(register: (name: string) => void): unknown {
  const each = () => register;
  return Object.assign((name: string) => register(name), {
    each,
    skip: Object.assign((name: string) => register(name), { each }),
  });
}
const omitted = replacement(() => undefined);
const skippedIt = replacement((name) => runIt.skip(PREFIX + name, () => undefined)) as jest.It;

const setIt = (it: jest.It): void => {
  for (const name of ['it', 'test']) Reflect.set(globalThis, name, it);
};
if (IS_LONG_RUN) setIt(skippedIt);

/** The body of a `describe` whose tests all run. */
const withTests =
  (body: (...parameters: any[]) => void) =>
  (...parameters: any[]): void => {
    const before = globalThis.it;
    setIt(runIt);
    try {
      body(...parameters);
    } finally {
      setIt(before);
    }
  };
const describeWithTests = Object.assign(
  (name: string, body: () => void): void => runDescribe(name, withTests(body)),
  {
    each:
      (...table: [any]) =>
      (name: string, body: (...parameters: any[]) => void): void =>
        runDescribe.each(...table)(name, withTests(body)),
    skip: runDescribe.skip,
  },
);

/** `it` for a slow test. */
export const longIt = (IS_LONG_RUN ? runIt : omitted) as jest.It;
/** `describe` for slow tests. */
export const longDescribe = (IS_LONG_RUN ? describeWithTests : omitted) as jest.Describe;

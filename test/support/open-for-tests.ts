type Opened = { close(): Promise<unknown> } | { stop(): Promise<unknown> };

/** Opens something before the tests of a file or `describe`, and closes it after them. It may be used from its opening on. */
export function openForTests<Resource extends Opened>(open: () => Promise<Resource>): Resource {
  const opened = {} as Resource;
  beforeAll(async () => {
    Object.assign(opened, await open());
  });
  afterAll(() => ('close' in opened ? opened.close() : opened.stop()));
  return opened;
}

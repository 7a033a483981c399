/** Opens something before the tests of a file or `describe`, and closes it after them. It may be used from its opening on. */
export function openForTests<Opened extends { close(): Promise<unknown> }>(
  open: () => Promise<Opened>,
): Opened {
  const opened = {} as Opened;
  beforeAll(async () => {
    Object.assign(opened, await open());
  });
  afterAll(() => opened.close());
  return opened;
}

import { readWhole } from '../../src/platform/store/read-whole';
import { Unavailable } from '../../src/platform/errors/errors';

/** A row that is saved `saves` times, each time between reading the row and its part. */
function savedConcurrently(saves: number) {
  let version = 0;
  return {
    row: async () => ({ part: `p${version}`, version }),
    nameOf: (row: { part: string }) => row.part,
    partOf: async (row: { version: number }) => {
      const isThere = row.version === version && version >= saves;
      if (version < saves) version += 1;
      return isThere ? `text ${version}` : null;
    },
  };
}

it.each([0, 1, 98])(
  'readWhole returns a matching row and part after %p concurrent saves',
  async (saves) => {
    expect(await readWhole(savedConcurrently(saves))).toEqual({
      row: { part: `p${saves}`, version: saves },
      part: `text ${saves}`,
    });
  },
);

it('readWhole starts with a row that was already read', async () => {
  const source = savedConcurrently(0);
  const reads = jest.spyOn(source, 'row');
  expect(await readWhole(source, { part: 'p0', version: 0 })).toEqual({
    row: { part: 'p0', version: 0 },
    part: 'text 0',
  });
  expect(reads).not.toHaveBeenCalled();
  expect(await readWhole(source, { part: 'older', version: -1 })).toEqual({
    row: { part: 'p0', version: 0 },
    part: 'text 0',
  });
});

it('readWhole returns null when the row is deleted', async () => {
  const rows = [{ part: 'p0', version: 0 }];
  expect(
    await readWhole({
      row: async () => rows.pop() ?? null,
      nameOf: (row) => row.part,
      partOf: async () => undefined,
    }),
  ).toBeNull();
});

it('readWhole reports a part that is missing from an unchanged row', async () => {
  await expect(
    readWhole({
      row: async () => ({ part: 'p0' }),
      nameOf: (row) => row.part,
      partOf: async () => null,
    }),
  ).rejects.toThrow('The stored part p0 is missing.');
});

it('readWhole fails as unavailable when the row never stops changing', async () => {
  await expect(readWhole(savedConcurrently(Infinity))).rejects.toBeInstanceOf(Unavailable);
});

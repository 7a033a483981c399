import { readWhole } from '../../src/platform/store/read-whole';
import { Unavailable } from '../../src/platform/errors/errors';

/** A row that is saved `saves` times, each time between the reading of the row and of its part. */
function savedMeanwhile(saves: number) {
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

it.each([0, 1, 2, 5, 50, 98])('fits together after %p saves in between', async (saves) => {
  expect(await readWhole(savedMeanwhile(saves))).toEqual({
    row: { part: `p${saves}`, version: saves },
    part: `text ${saves}`,
  });
});

it('begins with a row that was read already', async () => {
  const source = savedMeanwhile(0);
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

it('is null when the row goes away', async () => {
  const rows = [{ part: 'p0', version: 0 }];
  expect(
    await readWhole({
      row: async () => rows.pop() ?? null,
      nameOf: (row) => row.part,
      partOf: async () => undefined,
    }),
  ).toBeNull();
});

it('calls a part that nobody took away damaged', async () => {
  await expect(
    readWhole({
      row: async () => ({ part: 'p0' }),
      nameOf: (row) => row.part,
      partOf: async () => null,
    }),
  ).rejects.toThrow('The stored part p0 is missing.');
});

it('gives up on what is never at rest', async () => {
  await expect(readWhole(savedMeanwhile(Infinity))).rejects.toBeInstanceOf(Unavailable);
});

import { sealedData } from '../support/rekeying-killed';

jest.setTimeout(600_000);

it('a change of the key that is killed before any of its writes loses nothing, and can be finished', async () => {
  const data = await sealedData();
  try {
    expect(data.writes.length).toBeGreaterThan(10);
    for (let write = 1; write <= data.writes.length; write += 1) {
      const { opening, refused, told, afterwards } = await data.killedBefore(write);
      expect([write, opening.length > 0, opening.length + refused.length]).toEqual([write, true, 2]);
      // What makes the password before worthless is told in the same write.
      expect([write, told]).toEqual([write, !opening.includes('one')]);
      expect([write, afterwards]).toEqual([write, { opening: ['two'], refused: ['one'], told: true }]);
    }
  } finally {
    data.remove();
  }
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildStore } from '../support/store-build';
import { crashRound } from '../support/store-crash';
import { StoreProcess } from '../support/store-process';

describe('a store whose process dies, again and again', () => {
  const build = buildStore();
  const dir = mkdtempSync(join(tmpdir(), 'crash-'));
  afterAll(() => {
    build.remove();
    rmSync(dir, { recursive: true, force: true });
  });

  it('loses no acknowledged write in 24 kills', async () => {
    let total = 0;
    for (let round = 0; round < 24; round++) {
      const { acknowledged, ...faults } = await crashRound(build, dir, round % 2 === 0 ? 'worker' : 'inline', 100 + 150 * (round % 8));
      expect(faults).toEqual({ lost: [], halfTransactions: [], indexFaults: 0 });
      total += acknowledged;
    }
    console.log(`24 rounds, ${total} acknowledged writes, none lost`);
  });

  it('leaves cleanly when the process exits in the middle of its writes, 24 times', async () => {
    for (let round = 0; round < 24; round++) {
      const child = new StoreProcess(build, mkdtempSync(join(dir, 'exit-')), 'worker', 'exit');
      expect(await child.exit).toEqual({ code: 0, signal: null });
    }
  });
});

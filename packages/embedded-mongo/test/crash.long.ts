import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rounds } from '../../../test/support/rounds';
import { buildStore } from './support/store-build';
import { crashRound } from './support/store-crash';
import { StoreProcess } from './support/store-process';

const KILLS = rounds(30);

describe('a store whose process dies, again and again', () => {
  const build = buildStore();
  const dir = mkdtempSync(join(tmpdir(), 'crash-'));
  afterAll(() => {
    build.remove();
    rmSync(dir, { recursive: true, force: true });
  });

  it('loses no acknowledged write when it is killed', async () => {
    for (let round = 0; round < KILLS; round++) {
      const { acknowledged: _acknowledged, ...faults } = await crashRound(
        build,
        dir,
        round % 2 === 0 ? 'worker' : 'inline',
        100 + 150 * (round % 8),
      );
      expect(faults).toEqual({ lost: [], halfTransactions: [], indexFaults: 0 });
    }
  });

  it('leaves cleanly when the process exits in the middle of its writes', async () => {
    for (let round = 0; round < KILLS; round++) {
      const child = new StoreProcess(build, mkdtempSync(join(dir, 'exit-')), 'worker', 'exit');
      expect(await child.exit).toEqual({ code: 0, signal: null });
    }
  });
});

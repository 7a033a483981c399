import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildStore } from './support/store-build';
import { crashRound } from './support/store-crash';
import { StoreProcess } from './support/store-process';
import { longIt } from '../../../test/support/long';
import { firstOf } from '../../../test/support/rounds';

describe('a store whose process dies', () => {
  const build = buildStore();
  const dir = mkdtempSync(join(tmpdir(), 'crash-'));
  afterAll(() => {
    build.remove();
    rmSync(dir, { recursive: true, force: true });
  });

  longIt.each(firstOf(['worker', 'inline', 'worker'] as const, 2))(
    'has every acknowledged write after kill -9 (%s)',
    async (placement) => {
      const { acknowledged, ...faults } = await crashRound(build, dir, placement, 400);
      expect(acknowledged).toBeGreaterThanOrEqual(390);
      expect(faults).toEqual({ lost: [], halfTransactions: [], indexFaults: 0 });
    },
  );

  longIt('leaves cleanly when the process exits in the middle of its writes', async () => {
    for (let round = 0; round < 3; round++) {
      const child = new StoreProcess(build, mkdtempSync(join(dir, 'exit-')), 'worker', 'exit');
      expect(await child.exit).toEqual({ code: 0, signal: null });
    }
  });

  it('ends, and says why, when its worker has died', async () => {
    const child = new StoreProcess(build, mkdtempSync(join(dir, 'die-')), 'worker', 'die');
    expect(await child.exit).toEqual({ code: 1, signal: null });
    expect(child.lines.join()).toMatch(
      /log the worker of the embedded store ended unexpectedly with code 1; restart the service/,
    );
  });

  longIt.each(firstOf(['worker', 'inline'] as const, 1))(
    'goes on reading and deleting when the disk is full, and writes again when there is room (%s)',
    async (placement) => {
      const full = mkdtempSync(join(tmpdir(), 'full-'));
      const child = new StoreProcess(build, full, placement, 'fill', 16 * 1024 * 1024);
      expect(await child.exit).toEqual({ code: 0, signal: null });
      expect(child.lines).toEqual([
        'ready',
        'full 14031',
        'readable true',
        'deleted 40',
        'count true',
        'closed',
      ]);
      rmSync(full, { recursive: true, force: true });
    },
  );

  longIt.each(firstOf(['inline', 'worker'] as const, 1))(
    'writes again when the system has refused a write and takes it later (%s)',
    async (placement) => {
      const child = new StoreProcess(build, mkdtempSync(join(dir, 'limit-')), placement, 'limit');
      expect(await child.exit).toEqual({ code: 0, signal: null });
      expect(child.lines).toEqual([
        'ready',
        'refused 14031',
        'readable true',
        'written true',
        'closed',
      ]);
    },
  );
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildStore } from './support/store-build';
import { crashRound } from './support/store-crash';
import { StoreProcess } from './support/store-process';
import { longIt } from '../../../test/support/long';
import { firstOf } from '../../../test/support/rounds';

describe('a store whose process crashes', () => {
  const build = buildStore();
  const dir = mkdtempSync(join(tmpdir(), 'crash-'));
  afterAll(() => {
    build.remove();
    rmSync(dir, { recursive: true, force: true });
  });

  longIt.each(firstOf(['worker', 'inline', 'worker'] as const, 2))(
    'keeps every acknowledged write after kill -9 (%s)',
    async (placement) => {
      const { acknowledged, ...faults } = await crashRound(build, dir, placement, 400);
      expect(acknowledged).toBeGreaterThanOrEqual(390);
      expect(faults).toEqual({ lost: [], halfTransactions: [], indexFaults: 0 });
    },
  );

  longIt('exits cleanly when its process exits during writes', async () => {
    for (let round = 0; round < 3; round++) {
      const child = new StoreProcess(build, mkdtempSync(join(dir, 'exit-')), 'worker', 'exit');
      expect(await child.exit).toEqual({ code: 0, signal: null });
    }
  });

  it('ends with a reason when its worker crashes', async () => {
    const child = new StoreProcess(build, mkdtempSync(join(dir, 'die-')), 'worker', 'die');
    expect(await child.exit).toEqual({ code: 1, signal: null });
    expect(child.lines.join()).toMatch(
      /log the worker of the embedded store ended unexpectedly with code 1; restart the service/,
    );
  });

  longIt.each(firstOf(['worker', 'inline'] as const, 1))(
    'continues reads and deletes on a full disk, and writes when there is space again (%s)',
    async (placement) => {
      const full = mkdtempSync(join(tmpdir(), 'full-'));
      const child = new StoreProcess(build, full, placement, 'fill', 16 * 1024 * 1024);
      expect(await child.exit).toEqual({ code: 0, signal: null });
      expect(child.results).toEqual([
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
    'continues writing after the system temporarily rejected a write (%s)',
    async (placement) => {
      const child = new StoreProcess(build, mkdtempSync(join(dir, 'limit-')), placement, 'limit');
      expect(await child.exit).toEqual({ code: 0, signal: null });
      expect(child.results).toEqual([
        'ready',
        'refused 14031',
        'readable true',
        'written true',
        'closed',
      ]);
    },
  );
});

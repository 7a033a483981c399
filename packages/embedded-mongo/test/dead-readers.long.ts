import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Collection } from 'mongodb';
import { dyingWithTheRun } from '../../../test/support/process';
import { buildStore } from './support/store-build';
import { storeFixture } from './support/store-fixture';

const MB = 1024 * 1024;

interface Row {
  _id: number;
  round: number;
  text: string;
}

describe('a backup from another process', () => {
  const build = buildStore();
  const targets = mkdtempSync(join(tmpdir(), 'backup-'));
  const children: ChildProcess[] = [];
  afterAll(() => {
    // A stopped process cannot detect the exit of its parent.
    for (const child of children) child.kill('SIGKILL');
    build.remove();
    rmSync(targets, { recursive: true, force: true });
  });

  /** Stops itself in the middle of its copy, which pins the data it may still read. */
  async function halfwayBackup(dir: string, target: string): Promise<ChildProcess> {
    const written = `require('node:fs').statSync(${JSON.stringify(join(target, 'data.mdb'))}, { throwIfNoEntry: false })?.size`;
    const stop = `while (!(${written} > 0)); process.kill(process.pid, 'SIGSTOP');`;
    const backup = `require(${JSON.stringify(build.entry)}).backupDirectory(${JSON.stringify(dir)}, ${JSON.stringify(target)})`;
    const script = `new (require('node:worker_threads').Worker)(${JSON.stringify(stop)}, { eval: true }).on('online', () => ${backup});`;
    const child = spawn(process.execPath, ['-e', script], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...dyingWithTheRun },
    });
    children.push(child);
    const isStopped = (): boolean =>
      / T /.test(readFileSync(`/proc/${child.pid}/stat`, 'utf8').slice(0, 64));
    while (child.exitCode === null && !isStopped()) await pause(2);
    return child;
  }

  async function overwrite(rows: Collection<Row>, rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++)
      await rows.updateMany({ _id: { $lt: 200 } }, { $inc: { round: 1 } });
  }

  it('does not let the file grow after it is killed', async () => {
    const fixture = await storeFixture();
    const size = (): number => statSync(join(fixture.dir, 'data.mdb')).size;
    const rows = await fixture.collection<Row>();
    for (let from = 0; from < 6_000; from += 1_000) {
      await rows.insertMany(
        Array.from({ length: 1_000 }, (_, n) => ({
          _id: from + n,
          round: 0,
          text: 'x'.repeat(10_000),
        })),
      );
    }
    let grown = 0;
    let child: ChildProcess | undefined;
    // A backup that finished before it stopped holds nothing.
    for (let attempt = 0; grown < 20 * MB && attempt < 20; attempt++) {
      child?.kill('SIGKILL');
      child = await halfwayBackup(fixture.dir, join(targets, String(attempt)));
      const before = size();
      await overwrite(rows, 15);
      grown = size() - before;
    }
    expect(grown).toBeGreaterThan(20 * MB);
    child!.kill('SIGKILL');
    await once(child!, 'exit');
    const before = size();
    await overwrite(rows, 60);
    expect(size() - before).toBeLessThan(10 * MB);
    await fixture.close();
  });
});

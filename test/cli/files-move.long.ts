import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { folderOfServices } from '../support/service/folder-of-services';
import { hypha } from '../support/service/hypha';
import type { Ended } from '../support/service/hypha';
import { readyUrl } from '../support/process';

const FILES = 300;

describe('hypha files move', () => {
  const services = folderOfServices('hypha-cli-files-');
  const { folder, path, stop } = services;
  const uploads = join(path('data'), 'uploads');
  const contents = new Map(
    Array.from({ length: FILES }, (_, nth) => [
      `${randomBytes(16).toString('hex')}.png`,
      randomBytes(nth * 2_000),
    ]),
  );
  const start = (files: string) => services.start('data', { HYPHA_FILES: files });
  const move = (files: string, to: string, started?: (child: ChildProcess) => void) =>
    hypha(['files', 'move', '--to', to], {
      cwd: folder,
      env: { DATA_DIR: path('data'), HYPHA_FILES: files },
      started,
    });

  /** Calls `work` when the command shows that it has moved some files, but not all. */
  const halfWay =
    (work: (child: ChildProcess) => void) =>
    (child: ChildProcess): void => {
      let output = '';
      child.stderr?.on('data', (text: Buffer) => {
        output += text.toString();
        if (/^(?:[3-9]\d|1\d\d) of 300 files$/m.test(output)) work(child);
      });
    };

  async function expectAllServed(url: string): Promise<void> {
    for (const [name, content] of contents) {
      const answer = await fetch(`${url}/api/storage/files/${name}`);
      expect([name, answer.status]).toEqual([name, 200]);
      expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
    }
  }

  const expectMoved = ({ code, stdout }: Ended, line: RegExp): number => {
    expect([code, stdout]).toEqual([0, expect.stringMatching(line)]);
    return Number(line.exec(stdout)?.[1]);
  };

  it('goes on after it was killed, with a stopped and with a running service', async () => {
    const first = start('folder');
    await readyUrl(first);
    await stop(first);
    mkdirSync(uploads, { recursive: true });
    for (const [name, content] of contents) writeFileSync(join(uploads, name), content);

    const killed = await move(
      'folder',
      'database',
      halfWay((child) => child.kill('SIGKILL')),
    );
    expect(killed.signal).toBe('SIGKILL');
    const left = readdirSync(uploads).length;
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(FILES);
    const second = start('database');
    await expectAllServed(await readyUrl(second));
    await stop(second);

    const toDatabase =
      /^folder .*uploads -> database: (\d+) files copied, \d+ removed from the folder .*uploads\n$/;
    const rest = expectMoved(await move('database', 'database'), toDatabase);
    // The one at which it was killed may be in both places.
    expect(left - rest).toBeLessThanOrEqual(1);
    expect(readdirSync(uploads)).toEqual([]);

    const third = start('database');
    await expectAllServed(await readyUrl(third));
    const interrupted = await move(
      'database',
      'folder',
      halfWay(() => third.child.kill('SIGKILL')),
    );
    expect(interrupted.code).toBe(1);
    await third.exit;
    const fourth = start('folder');
    const url = await readyUrl(fourth);
    await expectAllServed(url);
    const back =
      /^database -> folder .*uploads: (\d+) files copied, \d+ removed from the database\n$/;
    expectMoved(await move('folder', 'folder'), back);
    expect(expectMoved(await move('folder', 'folder'), back)).toBe(0);
    expect(readdirSync(uploads).filter((name) => contents.has(name))).toHaveLength(FILES);
    await expectAllServed(url);
    await stop(fourth);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../src/config/load';
import { ConfigFiles } from '../src/features/application-config/config-files';
import type { Change } from '../src/platform/config-file/changes';
import { readConfigText, sourceOf } from '../src/platform/config-file/config-text';
import { editConfig } from '../src/platform/config-file/edit-config';
import { median } from './measure/in-turn';
import { threadTime } from './measure/loop-watch';
import type { BenchResult } from './result';

const BLOCKS = 200;
const EDITS = 40;
/** The first edits also compile the code. */
const WARM_UP = 10;

/** 2,000 lines: nested keys, lists, texts, remarks, and keys that are commented out. */
const source = (): string =>
  Array.from(
    { length: BLOCKS },
    (_each, index) => `block${index}:
  # What this block is for.
  key: value ${index}
  number: ${index}   # aligned
#  off: true
  quoted: "text"
  list:
    - one
    - two

`,
  ).join('');

/** The edit of a file as PATCH /application-config does it: change, check, backup, write. */
export async function run(): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hypha-config-edit-'));
  try {
    const path = join(folder, 'application.yml');
    writeFileSync(path, source());
    const files = new ConfigFiles({ path, backupDir: join(folder, 'backups'), backupKeep: 10 });
    const times: number[] = [];
    let content = Buffer.from(source());
    let text = readConfigText(source());
    for (let edit = 0; edit < EDITS; edit += 1) {
      const before = threadTime();
      const block = `block${(edit * 7) % BLOCKS}`;
      const changes: readonly Change[] = [
        { path: `${block}.number`, value: 1_000 + edit },
        { path: `${block}.off`, status: 'active' },
        { path: `${block}.quoted`, status: 'inactive' },
        { path: `${block}.fresh`, value: 'new' },
      ];
      ({ text } = editConfig(text, [changes[edit % changes.length]]));
      const changed = Buffer.from(sourceOf(text));
      const { problems } = readConfig({ CONFIG_FILE: path }, folder, changed);
      if (problems.length > 0) throw new Error(problems.join(', '));
      await files.replace(content, changed, new Date());
      content = changed;
      if (edit >= WARM_UP) times.push(threadTime() - before);
    }
    return [
      {
        name: `edit of a configuration file of ${source().split('\n').length - 1} lines`,
        value: median(times),
        unit: 'ms',
        target: { below: 100 },
        detail: `processor time, median of ${times.length}, ${Math.round(Math.min(...times))} to ${Math.round(Math.max(...times))}`,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder with the files of a built web client. */
export interface BuiltClient {
  readonly folder: string;
  write(files: Readonly<Record<string, string>>): void;
  remove(): void;
}

export function builtClient(files: Readonly<Record<string, string>>): BuiltClient {
  const folder = mkdtempSync(join(tmpdir(), 'hypha-client-'));
  const write: BuiltClient['write'] = (added) => {
    for (const [name, text] of Object.entries(added)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
  };
  write(files);
  return { folder, write, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

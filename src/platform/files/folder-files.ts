import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, syncToDisk, writeSynced } from './durable';
import { isUploadName } from './file-store';
import type { FileStore } from './file-store';

const DRAFT = /\.part$/;
/** Processes on other machines may write to the folder, so that only old drafts are abandoned. */
const ABANDONED_AFTER_MS = 24 * 60 * 60_000;

/** Files in a folder, which several processes may share. */
export class FolderFiles implements FileStore {
  private swept: Promise<void> | null = null;

  /** @param isOwn whether the folder is created on the first save */
  constructor(
    readonly dir: string,
    private readonly isOwn: boolean,
  ) {}

  get place(): string {
    return `folder ${this.dir}`;
  }

  async save(name: string, content: Buffer): Promise<void> {
    await this.prepare();
    await (this.swept ??= this.removeAbandonedDrafts());
    const draft = join(this.dir, `${name}.${randomUUID()}.part`);
    try {
      await writeSynced(draft, content);
      await rename(draft, join(this.dir, name));
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined);
      throw error;
    }
    await syncToDisk(this.dir);
  }

  async read(name: string): Promise<Buffer | null> {
    return readFile(join(this.dir, name)).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
  }

  delete(name: string): Promise<void> {
    return rm(join(this.dir, name), { force: true });
  }

  async list(): Promise<string[]> {
    return (await this.entries()).filter(isUploadName).sort();
  }

  /** Returns whether another path leads to the same folder, by a link or a mount. */
  async isSameFolder({ dir }: FolderFiles): Promise<boolean> {
    await this.prepare();
    const probe = `${randomUUID()}.part`;
    await writeSynced(join(this.dir, probe), '');
    try {
      return existsSync(join(dir, probe));
    } finally {
      await rm(join(this.dir, probe), { force: true });
    }
  }

  private async prepare(): Promise<void> {
    if (this.isOwn) await mkdir(this.dir, { recursive: true, mode: 0o700 });
  }

  /** A process that is killed leaves its draft. */
  private async removeAbandonedDrafts(): Promise<void> {
    for (const name of await this.entries()) {
      if (!DRAFT.test(name)) continue;
      const draft = join(this.dir, name);
      const { mtimeMs } = await stat(draft).catch(() => ({ mtimeMs: Date.now() }));
      if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) await rm(draft, { force: true });
    }
  }

  private async entries(): Promise<string[]> {
    return readdir(this.dir).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
  }
}

import { randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  stat,
  unlink,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { NotFound, Refused } from '../../platform/errors/errors';
import { isMissing, syncToDisk, writeSynced } from '../../platform/files/durable';

/** A copy of the file, made before a change. */
export interface ConfigBackup {
  readonly name: string;
  readonly createdAt: Date;
  readonly bytes: number;
}

/** The configuration file on disk, and its backups. */
export class ConfigFiles {
  constructor(
    private readonly parts: {
      readonly path: string;
      readonly backupDir: string;
      readonly backupKeep: number;
    },
  ) {}

  /** Null if there is no file. */
  async read(): Promise<Buffer | null> {
    return readFile(this.parts.path).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw this.failure('read', error);
    });
  }

  /**
   * Replaces the file: a crash leaves the old or the new one. Mode and owner are kept.
   * @param before the content that the caller read; null: there was no file
   * @param at the time in the name of the backup
   * @returns the backup, or null if there was no file
   * @throws Refused CONFIG_FILE_CHANGED if the file differs from `before`, CONFIG_FILE_NOT_WRITABLE
   */
  async replace(before: Buffer | null, content: Buffer, at: Date): Promise<string | null> {
    try {
      const path = before === null ? this.parts.path : await realpath(this.parts.path);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const backup = before === null ? null : await this.backUp(before, at);
      const draft = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
      try {
        await this.writeDraft(draft, content, before === null ? null : path);
        await this.requireUnchanged(before);
        await rename(draft, path);
      } catch (error) {
        await unlink(draft).catch(() => undefined);
        if (backup !== null)
          await unlink(join(this.parts.backupDir, backup)).catch(() => undefined);
        throw error;
      }
      await syncToDisk(dirname(path));
      await this.removeOldBackups();
      return backup;
    } catch (error) {
      throw error instanceof Refused ? error : this.failure('written', error);
    }
  }

  /** Newest first. */
  async backups(): Promise<ConfigBackup[]> {
    const names = await readdir(this.parts.backupDir).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw this.failure('read', error);
    });
    const found = names.flatMap((name) => {
      const time = this.timeOf(name);
      return time === null ? [] : [{ name, createdAt: new Date(time) }];
    });
    found.sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
    const sizes = await Promise.all(
      found.map(({ name }) =>
        stat(join(this.parts.backupDir, name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    );
    return found.map((backup, index) => ({ ...backup, bytes: sizes[index] }));
  }

  /** @throws NotFound CONFIG_BACKUP_NOT_FOUND */
  async readBackup(name: string): Promise<{ backup: ConfigBackup; content: Buffer }> {
    const time = this.timeOf(name);
    const content =
      time === null
        ? null
        : await readFile(join(this.parts.backupDir, name)).catch((error: unknown) => {
            if (isMissing(error)) return null;
            throw this.failure('read', error);
          });
    if (content === null || time === null)
      throw new NotFound(
        'CONFIG_BACKUP_NOT_FOUND',
        `There is no backup ${JSON.stringify(name.slice(0, 100))}.`,
      );
    return { backup: { name, createdAt: new Date(time), bytes: content.length }, content };
  }

  /** Null if it is not the name of a backup of this file. */
  private timeOf(name: string): number | null {
    const prefix = `${basename(this.parts.path)}.bak.`;
    const digits = name.startsWith(prefix) ? name.slice(prefix.length) : '';
    return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
  }

  private async backUp(content: Buffer, at: Date): Promise<string> {
    const { path, backupDir } = this.parts;
    await mkdir(backupDir, { recursive: true, mode: 0o700 });
    for (let time = at.getTime(); ; time += 1) {
      const name = `${basename(path)}.bak.${time}`;
      try {
        await writeSynced(join(backupDir, name), content);
        await syncToDisk(backupDir);
        return name;
      } catch (error) {
        // Another change in the same millisecond has this name.
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
    }
  }

  private async writeDraft(draft: string, content: Buffer, like: string | null): Promise<void> {
    await writeSynced(draft, content);
    if (like === null) return;
    const { mode, uid, gid } = await stat(like);
    const own = await stat(draft);
    if (own.uid !== uid || own.gid !== gid) await chown(draft, uid, gid);
    await chmod(draft, mode & 0o7777);
  }

  private async requireUnchanged(before: Buffer | null): Promise<void> {
    const now = await this.read();
    if (before === null ? now !== null : now === null || !before.equals(now))
      throw new Refused(
        'CONFIG_FILE_CHANGED',
        'The configuration file was changed by someone else in the meantime. Load it again.',
      );
  }

  private async removeOldBackups(): Promise<void> {
    const old = (await this.backups()).slice(this.parts.backupKeep);
    for (const { name } of old)
      await unlink(join(this.parts.backupDir, name)).catch(() => undefined);
  }

  private failure(what: 'read' | 'written', error: unknown): Error {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) return error as Error;
    return new Refused(
      'CONFIG_FILE_NOT_WRITABLE',
      `The configuration file or its backup cannot be ${what} (${code}). Nothing was changed. Check ${this.parts.path} and ${this.parts.backupDir}.`,
    );
  }
}

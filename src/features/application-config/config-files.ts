import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { MAX_CONFIG_FILE_BYTES } from '../../platform/config-file/parse-yaml';
import { NotFound, Refused } from '../../platform/errors/errors';
import { isMissing, syncToDisk, writeSynced } from '../../platform/files/durable';
import { isWritable, takeOwner, targetOf, writeInPlace } from '../../platform/files/existing-file';

/** A copy of the file, made before a change. */
export interface ConfigBackup {
  readonly name: string;
  readonly createdAt: Date;
  readonly bytes: number;
}

/** A change of the file. */
export interface Replacement {
  /** The copy of the former file; null if there was none. */
  readonly backup: string | null;
  /** Puts the former file back. */
  readonly undo: () => Promise<void>;
}

/** @throws Refused CONFIG_INVALID if a file of this size is too large to be parsed */
export function requireSize(bytes: number): void {
  if (bytes > MAX_CONFIG_FILE_BYTES)
    throw new Refused(
      'CONFIG_INVALID',
      `The configuration file is larger than ${MAX_CONFIG_FILE_BYTES / 1024} KiB. Make it smaller, and load it again.`,
    );
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

  /**
   * Null if there is no file.
   * @throws Refused CONFIG_INVALID if it is too large
   */
  async read(): Promise<Buffer | null> {
    try {
      const { size } = await stat(this.parts.path);
      requireSize(size);
      return await readFile(this.parts.path);
    } catch (error) {
      if (isMissing(error)) return null;
      throw this.failure('read', error);
    }
  }

  /** Returns why the file could not be changed: what is not writable. */
  async problems(): Promise<string[]> {
    const { path, backupDir } = this.parts;
    const isFileWritable = await isWritable(await targetOf(path).catch(() => path));
    return [
      ...(isFileWritable ? [] : [`${path} is not writable for the service.`]),
      ...((await isWritable(backupDir))
        ? []
        : [
            `The directory of backups ${backupDir} is not writable for the service. Set it to one that is.`,
          ]),
    ];
  }

  /**
   * Replaces the file: a crash leaves the old or the new one. Mode and owner are kept. A file that
   * cannot be replaced, since it is mounted alone or its directory is read-only, is written in place.
   * @param before the content that the caller read; null: there was no file
   * @param at the time in the name of the backup
   * @returns the backup, or null if there was no file, and how to take the change back
   * @throws Refused CONFIG_FILE_CHANGED if the file differs from `before`, CONFIG_FILE_NOT_WRITABLE
   */
  async replace(before: Buffer | null, content: Buffer, at: Date): Promise<Replacement> {
    let backup: string | null = null;
    try {
      const path = await targetOf(this.parts.path);
      if (before === null) await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      else backup = await this.backUp(before, at);
      await this.write(path, before, content);
      const written = backup;
      return {
        backup,
        undo: async () => {
          if (before === null || written === null) await unlink(path);
          else await this.putBack(written, path, content, before);
        },
      };
    } catch (error) {
      await this.removeBackup(backup);
      throw this.failure('written', error);
    }
  }

  async removeOldBackups(): Promise<void> {
    const old = (await this.backups()).slice(this.parts.backupKeep);
    for (const { name } of old) await this.removeBackup(name);
  }

  /** Newest first. */
  async backups(): Promise<ConfigBackup[]> {
    const names = await readdir(this.parts.backupDir).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw this.failure('read', error);
    });
    const backups = names.flatMap((name) => {
      const time = this.timeOf(name);
      return time === null ? [] : [{ name, createdAt: new Date(time) }];
    });
    backups.sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
    const sizes = await Promise.all(
      backups.map(({ name }) =>
        stat(join(this.parts.backupDir, name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    );
    return backups.map((backup, index) => ({ ...backup, bytes: sizes[index] }));
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

  private async write(path: string, before: Buffer | null, content: Buffer): Promise<void> {
    const draft = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
    try {
      await writeSynced(draft, content);
      if (before !== null) await takeOwner(draft, path);
      await this.requireUnchanged(before);
      await rename(draft, path);
    } catch (error) {
      await unlink(draft).catch(() => undefined);
      if (before === null || !IN_PLACE.has((error as NodeJS.ErrnoException).code)) throw error;
      await this.requireUnchanged(before);
      await writeInPlace(path, before, content);
      return;
    }
    // The file is replaced: some mounted file systems cannot sync a directory.
    await syncToDisk(dirname(path)).catch(() => undefined);
  }

  /** Replaces the file by its backup: that needs no space, which may be why a change failed. */
  private async putBack(
    backup: string,
    path: string,
    content: Buffer,
    before: Buffer,
  ): Promise<void> {
    const source = join(this.parts.backupDir, backup);
    try {
      await takeOwner(source, path);
      await rename(source, path);
    } catch {
      await writeInPlace(path, content, before);
      await this.removeBackup(backup);
      return;
    }
    await syncToDisk(dirname(path)).catch(() => undefined);
  }

  private async removeBackup(name: string | null): Promise<void> {
    if (name !== null) await unlink(join(this.parts.backupDir, name)).catch(() => undefined);
  }

  private async requireUnchanged(before: Buffer | null): Promise<void> {
    const now = await this.read();
    if (before === null ? now !== null : now === null || !before.equals(now))
      throw new Refused(
        'CONFIG_FILE_CHANGED',
        'The configuration file was changed by someone else in the meantime. Load it again.',
      );
  }

  private failure(action: 'read' | 'written', error: unknown): Error {
    const { code, path = this.parts.path } = error as NodeJS.ErrnoException;
    if (code === undefined || error instanceof Refused) return error as Error;
    const isBackup = path.startsWith(this.parts.backupDir);
    return new Refused(
      'CONFIG_FILE_NOT_WRITABLE',
      `The ${isBackup ? 'directory of backups' : 'configuration file'} cannot be ${action} (${code}). Nothing was changed. Check ${isBackup ? this.parts.backupDir : this.parts.path}.`,
    );
  }
}

/** Codes of a file that can only be written in place: mounted alone, or in a read-only directory. */
const IN_PLACE: ReadonlySet<string | undefined> = new Set([
  'EBUSY',
  'EXDEV',
  'EROFS',
  'EACCES',
  'EPERM',
]);

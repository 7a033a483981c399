import {
  existsSync,
  mkdirSync,
  openSync,
  closeSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

const MOST_BYTES = 10 * 1024 * 1024;

/** A log file of another program: when it is full it becomes the earlier one, `.1`, and a new one begins. Readable for this user alone. */
export class BoundedFile {
  private file: number;
  private bytes: number;

  constructor(
    private readonly path: string,
    private readonly mostBytes = MOST_BYTES,
  ) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.file = openSync(path, 'a', 0o600);
    this.bytes = statSync(path).size;
  }

  write(chunk: Uint8Array): void {
    if (this.bytes > 0 && this.bytes + chunk.length > this.mostBytes) this.begin();
    this.bytes += writeSync(this.file, chunk);
  }

  close(): void {
    closeSync(this.file);
  }

  /** The full one stays open until the new one is there: what fails in between leaves a file that can be written. */
  private begin(): void {
    const full = this.file;
    // An operator may have taken it away.
    if (existsSync(this.path)) renameSync(this.path, `${this.path}.1`);
    this.file = openSync(this.path, 'a', 0o600);
    closeSync(full);
    this.bytes = 0;
  }
}

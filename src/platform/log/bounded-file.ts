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

const MAX_BYTES = 10 * 1024 * 1024;

/** Log file of another program, with mode 0600. When full, it is renamed to `.1`. */
export class BoundedFile {
  private file: number;
  private bytes: number;

  constructor(
    private readonly path: string,
    private readonly maxBytes = MAX_BYTES,
  ) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.file = openSync(path, 'a', 0o600);
    this.bytes = statSync(path).size;
  }

  write(chunk: Uint8Array): void {
    if (this.bytes > 0 && this.bytes + chunk.length > this.maxBytes) this.rotate();
    this.bytes += writeSync(this.file, chunk);
  }

  close(): void {
    closeSync(this.file);
  }

  /** Keeps the full file open until the new one is, so that a failure leaves a writable file. */
  private rotate(): void {
    const full = this.file;
    // The operator may have deleted the file.
    if (existsSync(this.path)) renameSync(this.path, `${this.path}.1`);
    this.file = openSync(this.path, 'a', 0o600);
    closeSync(full);
    this.bytes = 0;
  }
}

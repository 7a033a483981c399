import { closeSync, fstatSync, readdirSync, writeSync } from 'node:fs';

/** Highest of the three standard descriptors (stderr). */
const STANDARD = 2;

const NOTHING = Buffer.alloc(0);

/**
 * Closes files that this process inherited from the service with write access: liblmdb opens its
 * data file without O_CLOEXEC. Call before the child opens files of its own. Files open for reading
 * stay open: newer versions of Node read CA certificates in a thread.
 */
export function closeInheritedFiles(): void {
  for (const descriptor of openDescriptors())
    if (descriptor > STANDARD && isWritableFile(descriptor)) closeSync(descriptor);
}

/** Returns an empty list if the system has no `/dev/fd`. */
function openDescriptors(): number[] {
  try {
    return readdirSync('/dev/fd').map(Number);
  } catch {
    return [];
  }
}

/**
 * Returns false if the descriptor is closed (that of the directory listing is) or not writable:
 * an empty write fails with EBADF.
 */
function isWritableFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile() && writeSync(descriptor, NOTHING) === 0;
  } catch {
    return false;
  }
}

import { closeSync, fstatSync, readdirSync, writeSync } from 'node:fs';

/** Of the three streams of a process. */
const STANDARD = 2;

const NOTHING = Buffer.alloc(0);

/**
 * Closes the files that the service had open for writing when it started this process: its store keeps the file of its data open in a way that is
 * passed on (liblmdb opens it without O_CLOEXEC). Called before the child opens files of its own; those that are only read stay, since newer Nodes
 * read the certificates of the company in a thread beside the program.
 */
export function closeInheritedFiles(): void {
  for (const descriptor of openDescriptors())
    if (descriptor > STANDARD && isWritableFile(descriptor)) closeSync(descriptor);
}

/** None where the system does not say. */
function openDescriptors(): number[] {
  try {
    return readdirSync('/dev/fd').map(Number);
  } catch {
    return [];
  }
}

/** The directory that lists them was one of them, and is gone; where nothing may be written, writing nothing fails (EBADF). */
function isWritableFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile() && writeSync(descriptor, NOTHING) === 0;
  } catch {
    return false;
  }
}

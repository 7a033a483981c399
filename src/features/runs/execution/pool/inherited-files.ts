import { closeSync, fstatSync, readdirSync } from 'node:fs';

/** Of the three streams of a process. */
const STANDARD = 2;

/**
 * Closes the files that the service had open when it started this process: its store keeps the file of its data open in a way that is passed on
 * (liblmdb opens it without O_CLOEXEC), and what a child holds it could write. Called before the child opens files of its own.
 */
export function closeInheritedFiles(): void {
  for (const descriptor of openDescriptors()) if (descriptor > STANDARD && isFile(descriptor)) closeSync(descriptor);
}

/** None where the system does not say. */
function openDescriptors(): number[] {
  try {
    return readdirSync('/dev/fd').map(Number);
  } catch {
    return [];
  }
}

/** The directory that lists them was one of them, and is gone. */
function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}

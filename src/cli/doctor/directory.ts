import { accessSync, constants, existsSync, statSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { findingsAbout, inBytes } from './finding';
import type { Finding } from './finding';

const LITTLE_SPACE = 1024 ** 3;
const TOO_LITTLE_SPACE = 128 * 1024 ** 2;
const { well, odd, wrong } = findingsAbout('directory');

/** Checks the data directory: existence, owner, permissions, write access, free space. */
export function directoryFindings(dir: string): Finding[] {
  try {
    return existsSync(dir) ? ofExisting(dir) : ofMissing(dir);
  } catch (error) {
    return [
      wrong(
        `${dir} cannot be looked at: ${error instanceof Error ? error.message : String(error)}`,
      ),
    ];
  }
}

function ofMissing(dir: string): Finding[] {
  let parent = dirname(dir);
  while (!existsSync(parent)) parent = dirname(parent);
  if (!statSync(parent).isDirectory())
    return [wrong(`${dir} cannot be made: ${parent} is a file.`)];
  return [
    mayWrite(parent)
      ? well(`${dir} is not there yet; the first start makes it.`)
      : wrong(`${dir} is not there, and this user may not make it in ${parent}.`),
  ];
}

function ofExisting(dir: string): Finding[] {
  const stat = statSync(dir);
  if (!stat.isDirectory()) return [wrong(`${dir} is a file and no directory.`)];
  const self = process.getuid?.();
  const findings = [
    mayWrite(dir) ? well(`${dir}, writable`) : wrong(`${dir} cannot be written to by this user.`),
  ];
  if (self !== undefined && stat.uid !== self)
    findings.push(
      odd(`${dir} belongs to the user with the id ${stat.uid}, and this command runs as ${self}.`),
    );
  if ((stat.mode & 0o077) !== 0)
    findings.push(
      odd(
        `${dir} has the mode ${(stat.mode & 0o777).toString(8)}: others may look into it. \`chmod 700\` closes it.`,
      ),
    );
  const { bavail, bsize } = statfsSync(dir);
  const free = bavail * bsize;
  const text = `${inBytes(free)} free on its disk`;
  return [
    ...findings,
    free < TOO_LITTLE_SPACE
      ? wrong(`Only ${text}.`)
      : free < LITTLE_SPACE
        ? odd(`Only ${text}.`)
        : well(text),
  ];
}

function mayWrite(dir: string): boolean {
  try {
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

import { realpath, stat } from 'node:fs/promises';
import { readdirSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { OWN_FIRST_SEGMENTS } from '../../config/addresses';
import { isBuiltFile, OWN_FILES } from '../assets';

const OWN_ASSETS: ReadonlySet<string> = new Set(OWN_FILES);
const isOwnAsset = (name: string): boolean => OWN_ASSETS.has(name) || isBuiltFile(name);
/**
 * First segments with routes that only take POST: a browser that reloads a page of the client
 * there gets the client.
 */
const POSTED: ReadonlySet<string> = new Set(['login', 'logout', 'totp-validate']);

/** Returns whether the service itself answers a GET for this path. */
export function isOwnPath([first = '', second = '', ...more]: readonly string[]): boolean {
  if (first === 'assets') return isOwnAsset(second) && more.length === 0;
  return OWN_FIRST_SEGMENTS.has(first) && first !== 'config.json' && !POSTED.has(first);
}

/** The files of a built client in a directory. */
export class ClientFiles {
  /** The directory without links. */
  readonly root: string;

  constructor(directory: string) {
    this.root = realpathSync(directory);
  }

  /**
   * Returns the path of a file in the directory, or null if there is none. Hidden files do not
   * exist, nor do files outside of the directory that a link leads to.
   */
  async find(segments: readonly string[]): Promise<string | null> {
    if (segments.length === 0 || !segments.every(isPlainName)) return null;
    try {
      const path = await realpath(join(this.root, ...segments));
      return path.startsWith(this.root + sep) && (await stat(path)).isFile() ? path : null;
    } catch {
      return null;
    }
  }

  /** Returns the files and folders that the service never serves, since its own paths hide them. */
  hidden(): string[] {
    const names = namesIn(this.root).filter((name) => name !== 'assets' && isOwnPath([name]));
    const assets = namesIn(join(this.root, 'assets')).filter(isOwnAsset);
    return [...names, ...assets.map((name) => `assets/${name}`)];
  }
}

const isPlainName = (name: string): boolean =>
  name !== '' && !name.startsWith('.') && !/[/\\\0]/.test(name);

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

const HEX = /^[0-9a-f]{8,64}$/;
/** Base64 of exactly this length, as Vite writes it. */
const BASE64 = /^[\w-]{8}$/;

/**
 * Returns whether a file name contains a hash of the content: `index-BkT3_x9z.js`,
 * `main.3f2a1b9c.chunk.css`. A word that only looks like one must not count: the file would be
 * cached for a year.
 */
export function hasHash(name: string): boolean {
  const stem = name.replace(/(?:\.chunk)?\.[a-z0-9]+(?:\.map)?$/i, '');
  const hex = stem.slice(Math.max(stem.lastIndexOf('-'), stem.lastIndexOf('.')) + 1);
  if (HEX.test(hex)) return /\d/.test(hex) && /[a-f]/.test(hex);
  const tail = stem.slice(-8);
  return (
    /^[-.]$/.test(stem.slice(-9, -8)) &&
    BASE64.test(tail) &&
    /[A-Z]/.test(tail) &&
    /[a-z]/.test(tail) &&
    /\d|_|[A-Z].*[A-Z]/.test(tail)
  );
}

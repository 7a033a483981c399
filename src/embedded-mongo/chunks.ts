import type { Entry, Range, ReadView } from './views';

const FIRST_CHUNK = 16;
const CHUNK = 256;

/**
 * Reads a range in chunks. No resources are held between chunks: the view may change, and reading
 * continues after the last key.
 */
export function* chunks(view: () => ReadView, range: Range): Generator<Entry[]> {
  let rest = range;
  for (let size = FIRST_CHUNK; ; size = CHUNK) {
    const entries: Entry[] = [];
    for (const entry of view().range(rest)) {
      entries.push(entry);
      if (entries.length === size) break;
    }
    if (entries.length > 0) yield entries;
    if (entries.length < size) return;
    rest = after(rest, entries[entries.length - 1].key);
  }
}

function after(range: Range, key: Buffer): Range {
  return range.reverse
    ? { ...range, end: key }
    : { ...range, start: Buffer.concat([key, Buffer.from([0])]) };
}

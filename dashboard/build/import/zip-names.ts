const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const END_LENGTH = 22;
const ENTRY_LENGTH = 46;
const MAX_COMMENT_LENGTH = 0xffff;

/** Returns the names of the files in a zip archive, from its directory; empty if it has none. */
export function zipNames(bytes: Uint8Array): readonly string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const earliest = Math.max(0, bytes.length - END_LENGTH - MAX_COMMENT_LENGTH);
  let end = bytes.length - END_LENGTH;
  while (end >= earliest && view.getUint32(end, true) !== END_OF_DIRECTORY) end -= 1;
  if (end < earliest) return [];
  const names: string[] = [];
  let at = view.getUint32(end + 16, true);
  while (at + ENTRY_LENGTH <= end && view.getUint32(at, true) === DIRECTORY_ENTRY) {
    const nameLength = view.getUint16(at + 28, true);
    const start = at + ENTRY_LENGTH;
    names.push(new TextDecoder().decode(bytes.subarray(start, start + nameLength)));
    at = start + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return names.filter((name) => !/[/\\]$/.test(name));
}

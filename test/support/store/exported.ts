import { inflateSync } from 'node:zlib';
import { EJSON } from 'bson';
import { ZipOnDisk } from '../../../src/platform/archive/read-zip';

/** The content of all entries by name. */
export async function unpacked(file: string): Promise<Map<string, Buffer>> {
  const zip = await ZipOnDisk.open(file);
  const entries = new Map<string, Buffer>();
  for (const name of zip.names) {
    const pieces: Buffer[] = [];
    for await (const piece of zip.read(name)) pieces.push(piece);
    entries.set(name, Buffer.concat(pieces));
  }
  zip.close();
  return entries;
}

/** The content of an archive as text, with compressed parts of records unpacked as well. */
export async function textOf(file: string): Promise<string> {
  const texts: string[] = [];
  for (const [name, bytes] of await unpacked(file)) {
    texts.push(name, bytes.toString('latin1'));
    if (
      !/^(?:workflow_contents|workflow_undo_parts|template_contents|invoker_sources)\./.test(name)
    )
      continue;
    for (const line of bytes.toString().split('\n').filter(Boolean))
      texts.push(inflateSync(EJSON.parse(line).bytes.buffer).toString());
  }
  return texts.join('\n');
}

import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** An archive of these files; a name that ends with a slash is a directory. */
export async function zipOf(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) {
    if (name.endsWith('/')) zip.addEmptyDirectory(name);
    else zip.addBuffer(Buffer.from(content), name);
  }
  zip.end();
  return buffer(zip.outputStream);
}

/** An archive with these entry names, including invalid ones. */
export async function zipWithNames(
  names: readonly string[],
  content: string | Buffer = '<a/>',
): Promise<Buffer> {
  const stand = (name: string, at: number): string =>
    String(at).padStart(Buffer.byteLength(name), 'x');
  let archive = await zipOf(
    Object.fromEntries(names.map((name, at) => [stand(name, at), content])),
  );
  names.forEach((name, at) => {
    archive = Buffer.from(
      archive.toString('latin1').replaceAll(stand(name, at), Buffer.from(name).toString('latin1')),
      'latin1',
    );
  });
  return archive;
}

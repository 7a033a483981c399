import { randomUUID } from 'node:crypto';
import { EngineError } from '../errors';
import { BinaryValue, isList, isMap, toText } from '../value';
import type { Value } from '../value';

/** A multipart body and its media type with boundary. */
export interface Multipart {
  readonly bytes: string | Buffer;
  readonly mediaType: string;
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '%22', '\r': '%0D', '\n': '%0A' };
const escapedName = (name: string): string =>
  name.replace(/["\r\n]/g, (character) => ESCAPES[character] ?? character);

/**
 * Serializes a form as multipart/form-data (RFC 7578): a part per list element, a file part for
 * binary data, with its name in both forms if it is not ASCII. The boundary is random, so that no value can start another part.
 * @param fileName name of the files; by default they keep theirs
 * @throws EngineError REQUEST_BODY_INVALID
 */
export function writeMultipart(value: Value, fileName?: string): Multipart {
  if (!isMap(value))
    throw new EngineError('REQUEST_BODY_INVALID', 'A form needs fields with names.');
  const boundary = `hypha-${randomUUID()}`;
  const fields = Object.entries(value).flatMap(([name, field]) =>
    (isList(field) ? field : [field]).map((entry) => [name, entry] as const),
  );
  const parts = fields.map(([name, entry]) =>
    writePart(
      `--${boundary}\r\nContent-Disposition: form-data; name="${escapedName(name)}"`,
      entry,
      fileName,
    ),
  );
  const bytes = fields.some(([, entry]) => entry instanceof BinaryValue)
    ? Buffer.concat(
        [...parts, `--${boundary}--\r\n`].map((part) =>
          typeof part === 'string' ? Buffer.from(part) : part,
        ),
      )
    : `${parts.join('')}--${boundary}--\r\n`;
  return { bytes, mediaType: `multipart/form-data; boundary=${boundary}` };
}

function writePart(head: string, value: Value, fileName: string | undefined): string | Buffer {
  if (!(value instanceof BinaryValue)) return `${head}\r\n\r\n${toText(value)}\r\n`;
  const name = fileName?.trim() || nameOf(value);
  const extended = ASCII.test(name) ? '' : `; filename*=UTF-8''${extendedName(name)}`;
  return Buffer.concat([
    Buffer.from(
      `${head}; filename="${escapedName(name)}"${extended}\r\nContent-Type: ${value.mediaType}\r\n\r\n`,
    ),
    value.bytes,
    Buffer.from('\r\n'),
  ]);
}

const ASCII = /^[\x20-\x7e]*$/;

/** A name without extension gets that of its media type, from which many systems read the type. */
function nameOf({ fileName, mediaType }: BinaryValue): string {
  const [, extension] = /^[a-z]+\/([a-z0-9]+)$/.exec(mediaType) ?? [];
  if (fileName === null) return `file.${extension ?? 'bin'}`;
  return fileName.includes('.') || extension === undefined ? fileName : `${fileName}.${extension}`;
}

/** RFC 8187. */
const extendedName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

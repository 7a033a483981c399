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
 * binary data. The boundary is random, so that no value can start another part.
 * @throws EngineError REQUEST_BODY_INVALID
 */
export function writeMultipart(value: Value): Multipart {
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

function writePart(head: string, value: Value): string | Buffer {
  if (!(value instanceof BinaryValue)) return `${head}\r\n\r\n${toText(value)}\r\n`;
  const extension = /^[a-z]+\/([a-z0-9]+)$/.exec(value.mediaType)?.[1] ?? 'bin';
  const name = value.mediaType === 'application/octet-stream' ? 'file.bin' : `file.${extension}`;
  return Buffer.concat([
    Buffer.from(`${head}; filename="${name}"\r\nContent-Type: ${value.mediaType}\r\n\r\n`),
    value.bytes,
    Buffer.from('\r\n'),
  ]);
}

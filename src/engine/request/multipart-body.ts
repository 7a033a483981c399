import { randomUUID } from 'node:crypto';
import { EngineError } from '../errors';
import { isList, isMap, toText } from '../value';
import type { Value } from '../value';

/** A body of parts, and the text between them that stands in its `Content-Type`. */
export interface Multipart {
  readonly text: string;
  readonly mediaType: string;
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '%22', '\r': '%0D', '\n': '%0A' };
const escapedName = (name: string): string => name.replace(/["\r\n]/g, (character) => ESCAPES[character] ?? character);

/**
 * A form whose fields are parts; a list becomes one part per element. Nobody can know what parts its values, so none can begin another.
 * @throws EngineError REQUEST_BODY_INVALID
 */
export function writeMultipart(value: Value): Multipart {
  if (!isMap(value)) throw new EngineError('REQUEST_BODY_INVALID', 'A form needs fields with names.');
  const boundary = `hypha-${randomUUID()}`;
  const parts = Object.entries(value).flatMap(([name, field]) => (isList(field) ? field : [field])
    .map((entry) => `--${boundary}\r\nContent-Disposition: form-data; name="${escapedName(name)}"\r\n\r\n${toText(entry)}\r\n`));
  return { text: `${parts.join('')}--${boundary}--\r\n`, mediaType: `multipart/form-data; boundary=${boundary}` };
}

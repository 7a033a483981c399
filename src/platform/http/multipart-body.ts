import busboy from 'busboy';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { BadInput, TooLarge, UnsupportedMediaType } from '../errors/errors';
import { endedEarly, mediaType } from './json-body';
import type { UploadedFile } from './route';

export interface Multipart {
  /** The parts that are not files, by name. */
  readonly fields: Readonly<Record<string, string>>;
  readonly file: UploadedFile | undefined;
}

const FIELD_BYTES = 64 * 1024;
const FIELDS = 50;
/** Allowance for boundaries, part headers and fields, in addition to the file. */
const OVERHEAD_BYTES = 1024 * 1024;

const broken = (message: string): BadInput => new BadInput('BAD_REQUEST', message);

function openParser(request: IncomingMessage, fileBytes: number): busboy.Busboy {
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      // busboy reports that the limit is reached, not that it is exceeded.
      limits: {
        files: 1,
        fileSize: fileBytes + 1,
        fields: FIELDS,
        fieldSize: FIELD_BYTES,
        fieldNameSize: 200,
        parts: FIELDS + 2,
        headerPairs: 100,
      },
    });
  } catch {
    throw broken('The multipart body has no boundary.');
  }
}

function collectFile(stream: Readable, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('limit', () => reject(new TooLarge(`The file may have ${limit} bytes at most.`)));
    stream.on('end', () => resolve(Buffer.concat(chunks)));
    stream.on('error', reject);
  });
}

/**
 * Reads a multipart/form-data body with at most one file, in the part named `part`.
 * @throws UnsupportedMediaType another content type
 * @throws TooLarge the file has more than `limit` bytes
 * @throws BadInput a broken body, a second file, a file in another part, a repeated or too long
 * field
 */
export async function readMultipart(
  request: IncomingMessage,
  part: string,
  limit: number,
): Promise<Multipart> {
  const type = mediaType(request);
  if (type !== 'multipart/form-data')
    throw new UnsupportedMediaType(
      `This operation reads multipart/form-data, not ${type ?? 'a body without a type'}.`,
    );
  if (Number(request.headers['content-length'] ?? 0) > limit + OVERHEAD_BYTES)
    throw new TooLarge(`The file may have ${limit} bytes at most.`);
  if (request.destroyed) throw endedEarly();
  const parser = openParser(request, limit);
  return new Promise<Multipart>((resolve, reject) => {
    const fields = Object.create(null) as Record<string, string>;
    let file: Promise<UploadedFile> | undefined;
    const fail = (error: Error): void => {
      request.unpipe(parser);
      request.off('close', onClose);
      parser.destroy();
      reject(error);
    };
    /** A request also closes after it is read to its end, while the parser is still working. */
    const onClose = (): void => {
      if (!request.readableEnded) fail(endedEarly());
    };

    parser.on('field', (name, value, { nameTruncated, valueTruncated }) => {
      if (nameTruncated || valueTruncated)
        fail(broken(`The field ${name.slice(0, 50)} is too long.`));
      else if (name in fields) fail(broken(`The field ${name} came twice.`));
      else fields[name] = value;
    });
    parser.on('file', (name, stream, { filename, mimeType }) => {
      // Destroying the parser fails its streams: without a listener that would end the process.
      stream.on('error', () => undefined);
      if (name !== part) {
        stream.resume();
        fail(broken(`This operation reads one file, in the part "${part}".`));
        return;
      }
      file = collectFile(stream, limit).then((bytes) => ({
        fileName: filename ?? '',
        mimeType,
        bytes,
      }));
      file.catch(fail);
    });
    for (const event of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) {
      parser.on(event, () =>
        fail(
          broken(
            `This operation reads one file, in the part "${part}", and at most ${FIELDS} fields.`,
          ),
        ),
      );
    }
    parser.on('error', () => fail(broken('The multipart body is broken.')));
    parser.on('close', () => {
      request.off('close', onClose);
      Promise.resolve(file).then((read) => resolve({ fields, file: read }), reject);
    });
    request.on('close', onClose);
    request.pipe(parser);
  });
}

import busboy from 'busboy';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { BadInput, TooLarge, UnsupportedMediaType } from '../../errors/errors';
import { incompleteBody, mediaType } from './json-body';
import type { UploadedFile } from '../route';

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
  if (request.destroyed) throw incompleteBody();
  return new MultipartReader(request, part, limit).read();
}

class MultipartReader {
  private readonly parser: busboy.Busboy;
  private readonly fields = Object.create(null) as Record<string, string>;
  private file: Promise<UploadedFile> | undefined;
  private reject: (error: Error) => void = () => undefined;

  constructor(
    private readonly request: IncomingMessage,
    private readonly part: string,
    private readonly limit: number,
  ) {
    this.parser = openParser(request, limit);
  }

  read(): Promise<Multipart> {
    const { request, parser, fields } = this;
    return new Promise<Multipart>((resolve, reject) => {
      this.reject = reject;
      parser.on('field', (name, value, { nameTruncated, valueTruncated }) =>
        this.addField(name, value, nameTruncated || valueTruncated),
      );
      parser.on('file', (name, stream, info) => this.addFile(name, stream, info));
      const message = `This operation reads one file, in the part "${this.part}", and at most ${FIELDS} fields.`;
      for (const event of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const)
        parser.on(event, () => this.fail(broken(message)));
      parser.on('error', () => this.fail(broken('The multipart body is broken.')));
      parser.on('close', () => {
        request.off('close', this.onRequestClosed);
        Promise.resolve(this.file).then((file) => resolve({ fields, file }), reject);
      });
      request.on('close', this.onRequestClosed);
      request.pipe(parser);
    });
  }

  /** A request also closes after it is read to its end, while the parser is still working. */
  private readonly onRequestClosed = (): void => {
    if (!this.request.readableEnded) this.fail(incompleteBody());
  };

  private readonly fail = (error: Error): void => {
    this.request.unpipe(this.parser);
    this.request.off('close', this.onRequestClosed);
    this.parser.destroy();
    this.reject(error);
  };

  private addField(name: string, value: string, isTruncated: boolean): void {
    if (isTruncated) this.fail(broken(`The field ${name.slice(0, 50)} is too long.`));
    else if (name in this.fields) this.fail(broken(`The field ${name} came twice.`));
    else this.fields[name] = value;
  }

  private addFile(name: string, stream: Readable, { filename, mimeType }: busboy.FileInfo): void {
    // Destroying the parser fails its streams: without a listener that would end the process.
    stream.on('error', () => undefined);
    if (name !== this.part) {
      stream.resume();
      this.fail(broken(`This operation reads one file, in the part "${this.part}".`));
      return;
    }
    this.file = collectFile(stream, this.limit).then((bytes) => ({
      fileName: filename ?? '',
      mimeType,
      bytes,
    }));
    this.file.catch(this.fail);
  }
}

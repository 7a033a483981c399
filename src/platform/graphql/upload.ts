import type { IncomingMessage, ServerResponse } from 'node:http';
import { processRequest } from 'graphql-upload-minimal';
import type { FileUpload } from 'graphql-upload-minimal';
import type { Limits } from '../../config/config';
import { BadInput, DomainError, TooLarge } from '../errors/errors';
import type { UploadedFile } from '../http/route';

/** What boundaries and part headers may take beside the operation and the file. */
const OVERHEAD_BYTES = 64 * 1024;

/**
 * Reads the operation of a multipart request by the GraphQL multipart request specification, with at most one file; the file itself is
 * read by the resolver. Such a request needs a header that no plain HTML form can send, or any page could make a browser send one.
 * @throws BadInput TooLarge
 */
export async function readMultipartOperation(
  request: IncomingMessage,
  response: ServerResponse,
  limits: Limits,
): Promise<unknown> {
  if (!request.headers['apollo-require-preflight'] && !request.headers['x-apollo-operation-name']) {
    throw new BadInput(
      'BAD_REQUEST',
      'A multipart request needs the header `apollo-require-preflight`.',
    );
  }
  if (
    Number(request.headers['content-length'] ?? 0) >
    limits.uploadBytes + limits.jsonBytes + OVERHEAD_BYTES
  )
    throw tooLarge(limits.uploadBytes);
  // Whoever never asks for the file must not keep the parser holding what still arrives.
  response.once('finish', () => request.unpipe() && request.resume());
  try {
    // What reaches the parser's caps counts as cut off, so a cap is one more than what is allowed.
    return await processRequest(request, response, {
      maxFieldSize: limits.jsonBytes + 1,
      maxFileSize: limits.uploadBytes + 1,
      maxFiles: 1,
    });
  } catch (error) {
    if (statusIn(error) === 413)
      throw new TooLarge('The multipart request is too large, or has more than one file.');
    throw new BadInput(
      'BAD_REQUEST',
      error instanceof Error ? error.message : 'The multipart body is broken.',
    );
  }
}

/**
 * Reads the file an `Upload` argument brought: `await readUpload(file, limits.uploadBytes)`.
 * @throws TooLarge more than `limit` bytes
 * @throws BadInput the request broke off
 */
export async function readUpload(
  upload: FileUpload | Promise<FileUpload>,
  limit: number,
): Promise<UploadedFile> {
  try {
    const file = await upload;
    const stream = file.createReadStream();
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) break;
      chunks.push(chunk);
    }
    if (size > limit) throw tooLarge(limit);
    return { fileName: file.filename ?? '', mimeType: file.mimetype, bytes: Buffer.concat(chunks) };
  } catch (error) {
    if (error instanceof DomainError) throw error;
    if (statusIn(error) === 413) throw tooLarge(limit);
    throw new BadInput('FILE_INCOMPLETE', 'The file did not arrive whole.', { path: ['file'] });
  }
}

const tooLarge = (limit: number): TooLarge =>
  new TooLarge(`The file may have ${limit} bytes at most.`);

const statusIn = (error: unknown): unknown =>
  error instanceof Error && 'status' in error ? error.status : undefined;

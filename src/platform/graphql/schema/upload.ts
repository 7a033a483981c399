import type { IncomingMessage, ServerResponse } from 'node:http';
import { processRequest } from 'graphql-upload-minimal';
import type { FileUpload } from 'graphql-upload-minimal';
import type { Limits } from '../../../config/config';
import { BadInput, DomainError, TooLarge } from '../../errors/errors';
import type { UploadedFile } from '../../http/route';

/** Allowance for boundaries and part headers, in addition to the operation and the file. */
const OVERHEAD_BYTES = 64 * 1024;

/**
 * Reads the operation of a request by the GraphQL multipart request specification, with at most one
 * file, which the resolver reads.
 * @throws BadInput TooLarge
 */
export async function readMultipartOperation(
  request: IncomingMessage,
  response: ServerResponse,
  limits: Pick<Limits, 'uploadBytes' | 'jsonBytes'>,
): Promise<unknown> {
  if (
    Number(request.headers['content-length'] ?? 0) >
    limits.uploadBytes + limits.jsonBytes + OVERHEAD_BYTES
  )
    throw tooLarge(limits.uploadBytes);
  // If no resolver reads the file, the rest of the request is discarded: the parser must not hold
  // it.
  response.once('finish', () => request.unpipe() && request.resume());
  try {
    // The parser treats what reaches a limit as truncated, so its limits are one more than what is
    // allowed.
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
 * Reads the file of an `Upload` argument: `await readUpload(file, limits.uploadBytes)`.
 * @throws TooLarge more than `limit` bytes
 * @throws BadInput the file is incomplete
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

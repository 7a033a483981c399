import { printToStderr } from './output';

/** More than the maximum password length. */
const MAX_LINE_BYTES = 4_096;

/**
 * Returns the first line of stdin.
 * @param label asked for on a terminal
 * @throws Error if it is too long or not valid text
 */
export async function firstLineOfInput(label: string): Promise<string> {
  if (process.stdin.isTTY) printToStderr(`${label} (one line, visible as you type):`);
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    if (chunk.includes('\n') || Buffer.concat(chunks).length > MAX_LINE_BYTES) break;
  }
  const all = Buffer.concat(chunks);
  const end = all.indexOf('\n');
  const line = end < 0 ? all : all.subarray(0, end);
  if (line.length > MAX_LINE_BYTES) throw new Error('the line is too long for a password.');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(line).replace(/\r$/, '');
  } catch (error) {
    throw new Error('the line is not valid UTF-8.', { cause: error });
  }
}

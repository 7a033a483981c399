import { EJSON } from 'bson';
import type { RawRecord } from '../../platform/store/startup/whole-store';

const LF = 10;
/** Lines are joined to pieces of about this length, since each piece passes several streams. */
const PIECE_LENGTH = 64 * 1024;
/** A record of 16 MiB of binary data in base64, with a margin. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
/** A stored document has at most 100 levels; some types are objects in extended JSON. */
const MAX_DEPTH = 210;
/** Reading deeply nested lines of this length and more takes long. */
const LONG_LINE_BYTES = 64 * 1024;

/** Writes a line of canonical extended JSON for each record. @param count called for each line */
export async function* linesOf(
  records: AsyncIterable<object>,
  count: () => void,
): AsyncGenerator<Buffer, void, void> {
  let text = '';
  for await (const record of records) {
    text += `${EJSON.stringify(record, { relaxed: false })}\n`;
    count();
    if (text.length < PIECE_LENGTH) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}

/** Reads such lines. @throws Error a line is too long, incomplete or not valid */
export async function* recordsOf(
  source: AsyncIterable<Buffer>,
): AsyncGenerator<RawRecord, void, void> {
  let pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of source) {
    let from = 0;
    for (let end = piece.indexOf(LF); end >= 0; end = piece.indexOf(LF, from)) {
      pieces.push(piece.subarray(from, end));
      yield recordOf(Buffer.concat(pieces));
      [pieces, size, from] = [[], 0, end + 1];
    }
    pieces.push(piece.subarray(from));
    size += piece.length - from;
    if (size > MAX_LINE_BYTES) throw new Error(`a line has more than ${MAX_LINE_BYTES} bytes`);
  }
  if (size > 0) throw new Error('the last line is incomplete');
}

function recordOf(line: Buffer): RawRecord {
  if (line.length > LONG_LINE_BYTES && isTooDeep(line))
    throw new Error('a line is nested too deeply');
  const record: unknown = EJSON.parse(line.toString('utf8'), { relaxed: false });
  if (typeof record !== 'object' || record === null || !('_id' in record))
    throw new Error('a line is not a record');
  return record;
}

const [QUOTE, BACKSLASH] = Buffer.from('"\\');
const OPENING = new Set(Buffer.from('[{'));
const CLOSING = new Set(Buffer.from(']}'));

function isTooDeep(line: Buffer): boolean {
  let depth = 0;
  for (let at = 0; at < line.length; at += 1) {
    const byte = line[at];
    if (byte === QUOTE) {
      at = endOfText(line, at);
      if (at < 0) return false;
    } else if (OPENING.has(byte)) depth += 1;
    else if (CLOSING.has(byte)) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** Returns the position of the closing quote, or -1. */
function endOfText(line: Buffer, start: number): number {
  for (let end = line.indexOf(QUOTE, start + 1); end >= 0; end = line.indexOf(QUOTE, end + 1)) {
    let backslashes = 0;
    while (line[end - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return -1;
}

/** Maximum bytes of a message whose length fits in two bytes of the frame header. */
const MAX_FRAMED_BYTES = 65_535;

const FINAL_TEXT = 0x81;
const TWO_BYTES_FOLLOW = 126;

/**
 * Encodes a text message as one frame from the server (RFC 6455, 5.2). `body` is encoded once and
 * shared by many messages. Returns null if the message is longer than `MAX_FRAMED_BYTES`.
 */
export function encodeTextFrame(before: string, body: Buffer, after: string): Buffer | null {
  const [first, last] = [Buffer.byteLength(before), Buffer.byteLength(after)];
  const length = first + body.length + last;
  if (length > MAX_FRAMED_BYTES) return null;
  const head = length < TWO_BYTES_FOLLOW ? 2 : 4;
  const frame = Buffer.allocUnsafe(head + length);
  frame[0] = FINAL_TEXT;
  if (head === 2) frame[1] = length;
  else {
    frame[1] = TWO_BYTES_FOLLOW;
    frame.writeUInt16BE(length, 2);
  }
  frame.write(before, head);
  body.copy(frame, head + first);
  frame.write(after, head + first + body.length);
  return frame;
}

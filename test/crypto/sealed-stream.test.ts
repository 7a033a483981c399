import { buffer } from 'node:stream/consumers';
import { PassphraseKey, StreamBroken } from '../../src/platform/crypto/sealed-stream';

const CHUNK = 64 * 1024;
const SEALED_CHUNK = CHUNK + 28;

let key: PassphraseKey;
beforeAll(async () => {
  key = await PassphraseKey.derive('a long passphrase');
});

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  await Promise.resolve();
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const sealed = (text: Buffer, name = 'a', size = 1_000): Promise<Buffer> =>
  buffer(key.seal(name, inPieces(text, size)));
const opened = (bytes: Buffer, name = 'a', by = key): Promise<Buffer> =>
  buffer(by.open(name, inPieces(bytes, 777)));

describe('a stream that is sealed with a passphrase', () => {
  it.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK])(
    'of %i bytes opens with the same passphrase only',
    async (length) => {
      const text = Buffer.alloc(length, 'x');
      const bytes = await sealed(text);
      expect((await opened(bytes)).equals(text)).toBe(true);
      const again = await PassphraseKey.derive('a long passphrase', key.parameters);
      expect((await opened(bytes, 'a', again)).equals(text)).toBe(true);
      const wrong = await PassphraseKey.derive('another passphrase', key.parameters);
      await expect(opened(bytes, 'a', wrong)).rejects.toThrow(StreamBroken);
    },
  );

  it('does not open under another name, or if chunks are cut off, moved or added', async () => {
    const bytes = await sealed(Buffer.concat([Buffer.alloc(CHUNK, 'x'), Buffer.alloc(CHUNK, 'y')]));
    const [first, second] = [bytes.subarray(0, SEALED_CHUNK), bytes.subarray(SEALED_CHUNK)];
    await expect(opened(bytes, 'b')).rejects.toThrow(StreamBroken);
    for (const changed of [
      first,
      second,
      bytes.subarray(0, -1),
      Buffer.alloc(0),
      Buffer.concat([second, first]),
      Buffer.concat([first, first, second]),
      Buffer.concat([bytes, second]),
    ])
      await expect(opened(changed)).rejects.toThrow(StreamBroken);
  });
});

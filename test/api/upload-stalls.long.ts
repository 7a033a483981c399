import { IMAGES, LARGE } from '../../bench/stall/documents';
import { ADMIN_EMAIL, startService } from '../support/harness';
import type { TestService } from '../support/harness';
import { leastStall, MOST_MS } from '../support/stall';

jest.setTimeout(300_000);

const BOUNDARY = 'boundary-of-this-test';

/** A request body that is made before anything is measured. */
function multipart(image: Buffer): Buffer {
  const part = (head: string): string => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`;
  return Buffer.concat([Buffer.from(`${part('name="email"')}${ADMIN_EMAIL}\r\n${part('name="file"; filename="a.png"')}`), image, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}

describe('a picture of 20 MiB', () => {
  let service: TestService;
  beforeAll(async () => { service = await startService(); });
  afterAll(() => service.close());

  it.each(Object.keys(IMAGES))('holds nobody else for 50 ms, however many parts it has: %s', async (kind) => {
    const body = multipart(IMAGES[kind](LARGE));
    const send = async (): Promise<void> => {
      const answer = await fetch(`${service.url}/api/storage/profilePicture`, {
        method: 'POST', body: body as RequestInit['body'], headers: { Authorization: service.adminToken, 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` },
      });
      const text = await answer.text();
      // One that is judged, not one that is too large or was not understood.
      if (!answer.ok) expect(text).toContain('WRONG_FORMAT');
    };
    expect(await leastStall(MOST_MS, send)).toBeLessThan(MOST_MS);
  });
});

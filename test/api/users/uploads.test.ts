import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { imageKind } from '../../../src/platform/files/uploads';
import type { ImageKind } from '../../../src/platform/files/image-size';
import { ADMIN_EMAIL, outcome, testService, unique } from '../../support/service/harness';
import { gif, jpeg, png, webp, withMetadata } from '../../support/documents/images';

const service = testService({ env: { HYPHA_LIMITS_UPLOAD_BYTES: '100000' } });
const form = (
  bytes: Uint8Array | null,
  fields: Record<string, string>,
  fileName = 'picture.png',
  type = 'image/png',
): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  if (bytes) data.set('file', new Blob([bytes], { type }), fileName);
  return data;
};
const upload = (
  bytes: Uint8Array | null,
  email: string,
  options: { token?: string | null; fileName?: string; type?: string } = {},
) =>
  service.api('POST', '/api/storage/profilePicture', {
    body: form(bytes, { email }, options.fileName, options.type),
    ...(options.token === undefined ? {} : { token: options.token }),
  });
const newUser = async () => {
  const email = `${unique('face')}@hypha.test`;
  const { body } = await service.api('POST', '/api/user', {
    body: { email, password: 'a good password', userGroup: 2 },
  });
  return { id: body.enhanceId as number, email };
};
const picture = async (id: number): Promise<string | null> =>
  (await service.api('GET', `/api/user/${id}`)).body.userDetail.profilePicture;
const stored = (): string[] => {
  try {
    return readdirSync(join(service.dataDir, 'uploads')).sort();
  } catch {
    return [];
  }
};
const fetched = (url: string) => fetch(url, { headers: { accept: 'text/html' } });

const IMAGES: [string, () => Buffer, string][] = [
  ['png', png, 'image/png'],
  ['jpg', jpeg, 'image/jpeg'],
  ['gif', gif, 'image/gif'],
  ['webp', webp, 'image/webp'],
];

describe('a profile picture', () => {
  it.each(IMAGES)(
    'of type %s is stored under a random name and served harmlessly',
    async (extension, image, type) => {
      const { id, email } = await newUser();
      const answer = await upload(image(), email.toUpperCase(), {
        fileName: '../../../etc/passwd.html',
        type: 'text/html',
      });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        enhanceId: id,
        userDetail: {
          profilePicture: expect.stringMatching(
            `^${service.url}/api/storage/files/[0-9a-f]{32}\\.${extension}$`,
          ),
        },
      });

      const url = await picture(id);
      const file = await fetched(url ?? '');
      expect(file.status).toBe(200);
      expect(Buffer.from(await file.arrayBuffer()).equals(image())).toBe(true);
      expect(file.headers.get('content-type')).toBe(type);
      expect(file.headers.get('x-content-type-options')).toBe('nosniff');
      expect(file.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
      expect(file.headers.get('content-disposition')).toMatch(
        /^attachment; filename="[0-9a-f]{32}\.\w+"$/,
      );
      expect(file.headers.get('cache-control')).toContain('immutable');
      expect(
        statSync(join(service.dataDir, 'uploads', url?.split('/').at(-1) ?? '')).mode & 0o777,
      ).toBe(0o600);
    },
  );

  it.each(IMAGES)(
    'of type %s is stored without the place it was taken at, and still upright',
    async (extension, image) => {
      const text = 'GPS 52.5200 N 13.4050 E, taken by Ada';
      const { id, email } = await newUser();
      expect((await upload(withMetadata(text, 6)[extension], email)).status).toBe(200);
      const file = await fetched((await picture(id)) ?? '');
      const bytes = Buffer.from(await file.arrayBuffer());
      expect(bytes.includes('GPS')).toBe(false);
      expect(imageKind(bytes)).toBe(extension);
      const keepsOrientation = extension !== 'gif';
      // A SHORT of EXIF: tag 0x0112, one value.
      const orientation = Buffer.from([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6]);
      expect(bytes.includes(orientation)).toBe(keepsOrientation);
      expect((await upload(withMetadata(text, 1)[extension], email)).status).toBe(200);
      const upright = await fetched((await picture(id)) ?? '');
      const others = extension === 'webp' ? 8 + 10 : 0;
      expect((await upright.arrayBuffer()).byteLength).toBe(image().length + others);
    },
  );

  it('replaces the old one and is deleted with its user', async () => {
    const { id, email } = await newUser();
    await upload(png(), email);
    const first = await picture(id);
    await upload(gif(), email);
    const second = await picture(id);
    expect(second).not.toBe(first);
    await waitForRemoval(first);
    expect((await fetched(second ?? '')).status).toBe(200);
    await service.api('PUT', `/api/user/${id}/userDetail`, {
      body: { profilePicture: null, name: 'Same face' },
    });
    expect(await picture(id)).toBe(second);
    await service.api('DELETE', `/api/user/${id}`);
    await waitForRemoval(second);
  });

  it.each<[string, Uint8Array]>([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('hello')],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['a signature alone', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    ['a PNG cut off', png().subarray(0, -6)],
    [
      'a PNG with a page behind it',
      Buffer.concat([png(), Buffer.from('<script>alert(1)</script>')]),
    ],
    ['a PNG of no size', png(0, 2)],
    ['a PNG that claims gigabytes of pixels', png(60_000, 60_000)],
    [
      'a JPEG signature before a page',
      Buffer.concat([
        Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
        Buffer.from('<script>alert(1)</script>'),
      ]),
    ],
    ['a GIF signature before a script', Buffer.from('GIF89a/*<script>alert(1)</script>*/=1;')],
    ['a GIF with an archive behind it', Buffer.concat([gif(), Buffer.from('PK\x03\x04')])],
    [
      'a RIFF of another kind',
      Buffer.concat([Buffer.from('RIFF\x1a\0\0\0WAVE'), Buffer.alloc(22)]),
    ],
    ['BMP', Buffer.concat([Buffer.from('BM'), Buffer.alloc(60)])],
  ])('is not stored from %s: WRONG_FORMAT 500', async (_case, bytes) => {
    const { id, email } = await newUser();
    const before = stored();
    const answer = await upload(bytes, email);
    expect(answer.body).toEqual({
      timestamp: expect.stringMatching(/\+0000$/),
      status: 500,
      error: expect.stringMatching(/./),
      message: 'WRONG_FORMAT',
      success: 'false',
      path: '/api/storage/profilePicture',
    });
    expect([await picture(id), stored()]).toEqual([null, before]);
  });

  it('requires a user, a file, free space and the permission', async () => {
    const before = stored();
    expect(outcome(await upload(png(), 'nobody@hypha.test'))).toEqual([500, 'USER_NOT_EXIST']);
    await service.refuses(500, 'USER_NOT_EXIST', 'POST', '/api/storage/profilePicture', {
      body: form(png(), {}),
    });
    expect(outcome(await upload(null, ADMIN_EMAIL))).toEqual([500, 'WRONG_FORMAT']);
    expect(outcome(await upload(Buffer.alloc(100_001), ADMIN_EMAIL))).toEqual([
      413,
      'PAYLOAD_TOO_LARGE',
    ]);
    expect(outcome(await upload(png(), ADMIN_EMAIL, { token: null }))).toEqual([
      401,
      'ACCESS_DENIED',
    ]);

    const self = await service.userWith(['MYPROFILE:UPDATE']);
    expect((await upload(png(), self.email, { token: self.token })).status).toBe(200);
    expect(
      (await upload(png(), ` ${self.email.toUpperCase()} `, { token: self.token })).status,
    ).toBe(200);
    const files = stored();
    expect(outcome(await upload(png(), ADMIN_EMAIL, { token: self.token }))).toEqual([
      403,
      'ACCESS_DENIED',
    ]);
    expect(outcome(await upload(png(), 'nobody@hypha.test', { token: self.token }))).toEqual([
      403,
      'ACCESS_DENIED',
    ]);
    const without = await service.userWith(['MYPROFILE:READ']);
    expect(outcome(await upload(png(), without.email, { token: without.token }))).toEqual([
      403,
      'ACCESS_DENIED',
    ]);
    const editor = await service.userWith(['USER:UPDATE', 'MYPROFILE:UPDATE']);
    expect((await upload(png(), self.email, { token: editor.token })).status).toBe(200);
    expect(stored().length).toBe(files.length);
    expect(before.length).toBe(files.length - 1);
  });

  it('can be uploaded over GraphQL by the multipart specification', async () => {
    const { id } = await newUser();
    const query =
      'mutation ($id: ID!, $file: Upload!) { userPictureUpload(input: { id: $id, file: $file }) { user { profilePicture } userErrors { code path } } }';
    const send = async (bytes: Buffer) => {
      const data = new FormData();
      data.set('operations', JSON.stringify({ query, variables: { id, file: null } }));
      data.set('map', JSON.stringify({ 0: ['variables.file'] }));
      data.set('0', new Blob([bytes]), 'x.png');
      return await service.body('POST', '/graphql', {
        body: data,
        headers: { 'apollo-require-preflight': 'true' },
      });
    };
    const done = await send(webp());
    expect(done.data.userPictureUpload.userErrors).toEqual([]);
    expect(done.data.userPictureUpload.user.profilePicture).toBe(await picture(id));
    expect((await send(Buffer.from('no image'))).data.userPictureUpload).toEqual({
      user: null,
      userErrors: [{ code: 'WRONG_FORMAT', path: ['file'] }],
    });

    const removed = await service.data(
      'mutation ($id: ID!) { userPictureRemove(input: { id: $id }) { user { profilePicture } userErrors { code } } }',
      { id },
    );
    expect(removed.userPictureRemove).toEqual({ user: { profilePicture: null }, userErrors: [] });
  });
});

describe('the icon of a group', () => {
  it('is set, replaced, shown and removed', async () => {
    const group = (await service.api('POST', '/api/role', { body: { name: unique('Icons') } })).body
      .enhanceId as number;
    const set = (bytes: Buffer, userGroupId = String(group)) =>
      service.api('POST', '/api/storage/groupIcon', { body: form(bytes, { userGroupId }) });
    const first = await set(png());
    expect([first.status, first.body.icon]).toEqual([
      200,
      expect.stringMatching(/\/api\/storage\/files\/[0-9a-f]{32}\.png$/),
    ]);
    const second = (await set(jpeg())).body.icon as string;
    await waitForRemoval(first.body.icon);
    expect((await service.api('GET', `/api/userGroup/${group}`)).body.icon).toBe(second);
    expect(outcome(await set(Buffer.from('<svg/>')))).toEqual([500, 'WRONG_FORMAT']);
    expect(outcome(await set(png(), '4711'))).toEqual([404, 'GROUP_NOT_FOUND']);
    expect(outcome(await set(png(), 'x'))).toEqual([400, 'BAD_REQUEST']);
    expect(await service.status('DELETE', `/api/role/${group}/icon`)).toBe(204);
    expect(await service.status('DELETE', `/api/role/${group}/icon`)).toBe(204);
    await waitForRemoval(second);
    expect((await service.api('GET', `/api/role/${group}`)).body.icon).toBeNull();
    await service.refuses(404, 'GROUP_NOT_FOUND', 'DELETE', '/api/role/4711/icon');
  });
});

describe('GET /storage/files/{name}', () => {
  it.each([
    'nothing.png',
    `${'0'.repeat(32)}.png`,
    '..%2f..%2ftoken-secret',
    '..%2ftoken-secret',
    '%2e%2e%2ftoken-secret',
    '....//token-secret',
    '%00.png',
    'data.mdb',
    `${'0'.repeat(32)}.png%00.html`,
    `${'A'.repeat(32)}.svg`,
    '%ff',
  ])('returns an error for %s', async (name) => {
    const answer = await service.api('GET', `/api/storage/files/${name}`, { token: null });
    expect([404, 400]).toContain(answer.status);
    expect(answer.headers.get('content-type')).toContain('json');
    expect(answer.text).not.toContain(service.dataDir);
  });
});

it('the image check recognises truncated images at every byte', () => {
  for (const [kind, image] of IMAGES) {
    const bytes = image();
    const kindOf = (file: Buffer): ImageKind | null => imageKind(file);
    expect(kindOf(bytes)).toBe(kind);
    for (let length = 0; length < bytes.length; length++)
      expect([kind, length, kindOf(bytes.subarray(0, length))]).toEqual([kind, length, null]);
  }
});

/** A file is deleted after the commit, possibly after the response. */
async function waitForRemoval(url: string | null): Promise<void> {
  while ((await fetched(url ?? '')).status !== 404)
    await new Promise((resolve) => setImmediate(resolve));
}

import fc from 'fast-check';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VaultKeys } from '../../src/platform/crypto/vault';
import type { Sealed } from '../../src/platform/crypto/vault';
import { createLogger } from '../../src/platform/log/logger';
import { connectStore } from '../../src/platform/store/startup/connect';
import type { ConnectedStore } from '../../src/platform/store/startup/connect';
import { longIt } from '../support/long';

let dir: string;
let connected: ConnectedStore;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'hypha-vault-'));
  connected = await connectStore(
    { data: { dir, mongodbUri: null, shareStore: false } },
    createLogger({ log: { level: 'silent' } }),
    { placement: 'inline', durability: 'test' },
  );
});
afterEach(async () => {
  await connected.close();
  rmSync(dir, { recursive: true, force: true });
});

/** A vault as opened at start. */
async function unlocked(
  masterPassword: string | null,
  inUse: readonly string[] = [],
  place = dir,
): Promise<VaultKeys> {
  const vault = new VaultKeys({ store: connected.store, dir: place, masterPassword });
  await connected.store.prepare();
  await vault.unlock(async () => inUse);
  return vault;
}

describe.each([
  ['a master password', 'p4ss word'],
  ['a key file', null],
])('a vault with %s', (_what, password) => {
  it('decrypts what it encrypted, also after a restart', async () => {
    const first = await unlocked(password);
    const again = await unlocked(password, [first.keyId]);
    expect(again.keyId).toBe(first.keyId);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, context) => {
        const sealed = first.seal(text, context);
        expect(again.open(sealed, context)).toBe(text.toWellFormed());
        if (text.length > 3) expect(JSON.stringify(sealed)).not.toContain(text);
      }),
    );
  });

  it('never encrypts the same text to the same value', async () => {
    const vault = await unlocked(password);
    expect(new Set(Array.from({ length: 50 }, () => vault.seal('token', 'a').text)).size).toBe(50);
  });

  it('decrypts nothing at another place and nothing with a changed bit', async () => {
    const vault = await unlocked(password);
    const sealed = vault.seal('Bearer abc', 'connector:1:token');
    expect(() => vault.open(sealed, 'connector:2:token')).toThrow(
      'was changed, or belongs elsewhere',
    );
    const flipped = (text: string, bit: number): string => {
      const bytes = Buffer.from(text, 'base64url');
      bytes[Math.floor(bit / 8) % bytes.length] ^= 1 << (bit % 8);
      return bytes.toString('base64url');
    };
    fc.assert(
      fc.property(
        fc.constantFrom('iv' as const, 'tag' as const, 'text' as const),
        fc.nat(127),
        (part, bit) => {
          expect(() =>
            vault.open({ ...sealed, [part]: flipped(sealed[part], bit) }, 'connector:1:token'),
          ).toThrow('does not open');
        },
      ),
    );
    // A truncated tag would be easier to guess.
    expect(() =>
      vault.open({ ...sealed, tag: sealed.tag.slice(0, 8) }, 'connector:1:token'),
    ).toThrow('does not open');
    expect(() => vault.open({ ...sealed, keyId: 'password-9' }, 'connector:1:token')).toThrow(
      'password-9, which this process does not have',
    );
  });
});

it('the generated key is stored in a file that only its owner can read', async () => {
  await unlocked(null);
  expect(statSync(join(dir, 'connector-key')).mode & 0o777).toBe(0o600);
  expect(Buffer.from(readFileSync(join(dir, 'connector-key'), 'utf8'), 'base64url')).toHaveLength(
    48,
  );
});

it('no key file is written when a master password is configured', async () => {
  await unlocked('configured');
  expect(() => statSync(join(dir, 'connector-key'))).toThrow('ENOENT');
});

it('neither key nor password is stored in the database', async () => {
  const vault = await unlocked('a-password-to-look-for');
  vault.seal('x', 'y');
  const stored = JSON.stringify(
    await connected.store.connection.collection('vault_keys').find().toArray(),
  );
  expect(stored).toContain('"password-1"');
  expect(stored).not.toContain('a-password-to-look-for');
});

longIt('concurrent processes create a single key', async () => {
  const vaults = await Promise.all(Array.from({ length: 5 }, () => unlocked('shared')));
  expect(new Set(vaults.map(({ keyId }) => keyId))).toEqual(new Set(['password-1']));
  const sealed = vaults[0].seal('one', 'a');
  for (const vault of vaults) expect(vault.open(sealed, 'a')).toBe('one');
});

it('values encrypted with the key file stay readable after a master password is configured', async () => {
  const sealed = (await unlocked(null)).seal('before', 'a');
  const vault = await unlocked('new', [sealed.keyId]);
  expect(vault.keyId).toBe('password-1');
  expect(vault.open(sealed, 'a')).toBe('before');
});

it('a start with the wrong key fails and leaves nothing behind', async () => {
  const { keyId } = (await unlocked('right')).seal('x', 'a');
  for (const wrong of ['wrong', null])
    await expect(unlocked(wrong, [keyId])).rejects.toThrow(
      'Stored credentials are sealed with password-1',
    );
  const other = mkdtempSync(join(tmpdir(), 'hypha-vault-'));
  const file = (await unlocked(null)).seal('x', 'a');
  await expect(unlocked(null, [file.keyId], other)).rejects.toThrow('put the key file back');
  rmSync(other, { recursive: true });
  expect(
    await connected.store.connection
      .collection('vault_keys')
      .find()
      .map(({ _id }) => String(_id))
      .toArray(),
  ).toEqual(['file-1', 'password-1']);
});

describe('a key change', () => {
  const sealedWith = (vault: VaultKeys, text: string): Sealed => vault.seal(text, 'a');

  it.each([
    ['one', 'two'],
    [null, 'two'],
    ['one', null],
  ])(
    'from %p to %p leaves all values readable with either until it is complete',
    async (from, to) => {
      const vault = await unlocked(from);
      const before = sealedWith(vault, 'before');
      await vault.changeTo(to);
      const after = sealedWith(vault, 'after');
      expect(after.keyId).not.toBe(before.keyId);
      for (const password of [from, to]) {
        const started = await unlocked(password, [before.keyId, after.keyId]);
        expect([started.open(before, 'a'), started.open(after, 'a')]).toEqual(['before', 'after']);
      }
    },
  );

  longIt('continues with the same key after a crash', async () => {
    const vault = await unlocked('one');
    await vault.changeTo('two');
    const again = await unlocked('one', [vault.keyId, 'password-1']);
    await again.changeTo('two');
    expect(again.keyId).toBe(vault.keyId);
    const other = await unlocked('two', [vault.keyId, 'password-1']);
    await other.changeTo('two');
    expect(other.keyId).toBe(vault.keyId);
  });

  longIt('invalidates the previous password and loses nothing', async () => {
    const vault = await unlocked('one');
    const before = sealedWith(vault, 'before');
    await vault.changeTo('two');
    const after = sealedWith(vault, 'after');
    await vault.changeDone();
    await expect(unlocked('one', [after.keyId])).rejects.toThrow('Start with the master password');
    const started = await unlocked('two', [before.keyId, after.keyId]);
    expect([started.open(before, 'a'), started.open(after, 'a')]).toEqual(['before', 'after']);
  });

  longIt('accepts a previously used password as new', async () => {
    const vault = await unlocked('one');
    for (const password of ['two', 'one']) {
      await vault.changeTo(password);
      await vault.changeDone();
    }
    expect(vault.keyId).toBe('password-3');
    expect((await unlocked('one', ['password-3'])).keyId).toBe('password-3');
  });
});

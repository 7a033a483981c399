import fc from 'fast-check';
import { hashSync as bcryptHash } from 'bcryptjs';
import { createPasswords, nativeHashes } from '../../../src/platform/crypto/passwords';
import type { HashFunctions } from '../../../src/platform/crypto/passwords';
import { passwordProblem, randomPassword } from '../../../src/platform/text/password-text';
import { WorkQueue } from '../../../src/platform/queues';
import { Unavailable } from '../../../src/platform/errors/errors';

function countedHashes(): { functions: HashFunctions; calls: string[] } {
  const calls: string[] = [];
  const counted =
    <R>(name: string, work: (...given: [string, string]) => Promise<R>) =>
    (...given: string[]): Promise<R> => {
      calls.push(name);
      return work(given[0] ?? '', given[1] ?? '');
    };
  return {
    calls,
    functions: {
      hash: counted('hash', (password) => nativeHashes.hash(password)),
      verify: counted('verify', (stored, password) => nativeHashes.verify(stored, password)),
      verifyBcrypt: counted('bcrypt', (stored, password) =>
        nativeHashes.verifyBcrypt(stored, password),
      ),
    },
  };
}

const queue = () => new WorkQueue({ concurrency: 2, capacity: 500 });

it('the login does the same work for an unknown user as for a wrong password', async () => {
  const { functions, calls } = countedHashes();
  const passwords = createPasswords(queue(), functions);
  const stored = await passwords.hash('the right password');
  await passwords.check(null, 'warms the decoy up');
  calls.length = 0;

  expect(await passwords.check(stored, 'a wrong password')).toBe('wrong');
  const forWrong = calls.splice(0);
  expect(await passwords.check(null, 'a wrong password')).toBe('wrong');
  expect(calls).toEqual(forWrong);
  expect(forWrong).toEqual(['verify']);
});

it('the login compares an unknown user with a hash of the same cost', async () => {
  const seen: string[] = [];
  const passwords = createPasswords(queue(), {
    ...nativeHashes,
    verify: (stored, password) => {
      seen.push(stored);
      return nativeHashes.verify(stored, password);
    },
  });
  const stored = await passwords.hash('the right password');
  await passwords.check(stored, 'x');
  await passwords.check(null, 'x');
  const cost = (hash: string | undefined) => hash?.split('$').slice(1, 4);
  expect(cost(seen[1])).toEqual(cost(seen[0]));
  expect(cost(seen[0])?.[0]).toBe('argon2id');
});

it.each(['$2a$', '$2b$', '$2y$'])(
  'the login accepts the bcrypt hashes %s of released versions and requests a rehash',
  async (prefix) => {
    const passwords = createPasswords(queue());
    const stored = bcryptHash('grandfather clock', 4).replace(/^\$2.\$/, prefix);
    expect(await passwords.check(stored, 'grandfather clock')).toBe('right-upgrade');
    expect(await passwords.check(stored, 'grandmother clock')).toBe('wrong');
  },
);

it('the login accepts correct passwords and none above the maximum length', async () => {
  const passwords = createPasswords(queue());
  const stored = await passwords.hash('x'.repeat(1024));
  expect(await passwords.check(stored, 'x'.repeat(1024))).toBe('right');
  expect(await passwords.check(stored, 'x'.repeat(1025))).toBe('wrong');
});

const openHashes: HashFunctions = {
  hash: (password) => Promise.resolve(`$argon2id$${password}`),
  verify: (stored, password) => Promise.resolve(stored === `$argon2id$${password}`),
  verifyBcrypt: (stored, password) => Promise.resolve(stored === `$2a$${password}`),
};

describe('a password in another Unicode normal form', () => {
  const FORMS = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const;
  const forms = (text: string): string[] => [text, ...FORMS.map((form) => text.normalize(form))];
  const isSame = (one: string, other: string): boolean =>
    one.normalize('NFC') === other.normalize('NFC');
  // Characters with several normal forms.
  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          'é',
          'e\u0301',
          'ﬁ',
          'Å',
          'Å',
          '\u1112\u1161\u11ab',
          '한',
          'ſ\u0323\u0307',
          'q\u0307\u0323',
          '①',
        ),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }),
      ),
      { minLength: 1, maxLength: 8 },
    )
    .map((parts) => parts.join(''));

  it('matches if it is canonically equivalent, and not if it only looks alike', async () => {
    const passwords = createPasswords(queue(), openHashes);
    await fc.assert(
      fc.asyncProperty(text, async (chosen) => {
        for (const set of forms(chosen)) {
          const stored = await passwords.hash(set);
          for (const sent of forms(chosen))
            expect(await passwords.check(stored, sent)).toBe(isSame(set, sent) ? 'right' : 'wrong');
        }
      }),
    );
  });

  it.each([
    ['argon2id', '$argon2id$'],
    ['bcrypt', '$2a$'],
  ])(
    'matches as sent if the stored %s hash is of that form, and is rehashed in composed form',
    async (_kind, prefix) => {
      const passwords = createPasswords(queue(), openHashes);
      await fc.assert(
        fc.asyncProperty(text, async (chosen) => {
          for (const sent of forms(chosen)) {
            const isComposed = sent.normalize('NFC') === sent;
            expect(await passwords.check(prefix + sent, sent)).toBe(
              isComposed && prefix !== '$2a$' ? 'right' : 'right-upgrade',
            );
            expect(await passwords.check(await passwords.hash(sent), sent)).toBe('right');
          }
        }),
      );
    },
  );

  it('causes the same work for an unknown user', async () => {
    const { functions, calls } = countedHashes();
    const passwords = createPasswords(queue(), functions);
    const stored = await passwords.hash('the right password');
    await passwords.check(null, 'warms the decoy up');
    calls.length = 0;
    await passwords.check(stored, 'e\u0301'.repeat(8));
    const forWrong = calls.splice(0);
    await passwords.check(null, 'e\u0301'.repeat(8));
    expect(calls).toEqual(forWrong);
    expect(forWrong).toEqual(['verify', 'verify']);
  });

  it('never matches if it is not well-formed', async () => {
    const passwords = createPasswords(queue());
    const stored = await nativeHashes.hash('broken \ud800 text');
    expect(await nativeHashes.verify(stored, 'broken \ud801 text')).toBe(true);
    expect(await passwords.check(stored, 'broken \ud800 text')).toBe('wrong');
  });

  it('has the length of its composed form', () => {
    expect(passwordProblem('e\u0301'.repeat(7))).toMatch(/this one has 7/);
    expect(passwordProblem(' \t\u00a0\u3000\u200b\u00ad'.repeat(3))).toMatch(/blanks only/);
    expect(passwordProblem('e\u0301'.repeat(8))).toBeNull();
    expect(passwordProblem('😀'.repeat(128))).toBeNull();
    expect(passwordProblem('e\u0301'.repeat(129))).toMatch(/this one has 129/);
  });
});

it('password hashing runs two at once, queues a limited number and rejects others with Retry-After', async () => {
  const small = new WorkQueue({ concurrency: 2, capacity: 3 });
  let running = 0;
  let most = 0;
  const finish: (() => void)[] = [];
  const work = async (): Promise<string> => {
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((resolve) => finish.push(resolve));
    running -= 1;
    return 'done';
  };
  const accepted = Array.from({ length: 5 }, () => small.run(work));
  expect(small.waiting).toBe(3);
  await expect(small.run(work)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    retryAfter: expect.any(Number),
  });
  await expect(small.run(work)).rejects.toBeInstanceOf(Unavailable);
  for (let index = 0; index < 5; index++) {
    finish.shift()?.();
    await accepted[index];
  }
  expect(await Promise.all(accepted)).toEqual(Array(5).fill('done'));
  expect([most, running, small.waiting]).toEqual([2, 0, 0]);
});

it('password hashing frees its slot after an error', async () => {
  const single = new WorkQueue({ concurrency: 1, capacity: 1 });
  const failing = single.run(() => Promise.reject(new Error('no')));
  const next = single.run(() => Promise.resolve('yes'));
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});

it('queued work can be withdrawn, and work that waits for other work frees its slot', async () => {
  const single = new WorkQueue({ concurrency: 1, capacity: 2 });
  const begun: string[] = [];
  const abort = new AbortController();
  const note = async (name: string): Promise<void> => void begun.push(name);
  const outer = single.run(async () => {
    await note('outer');
    await single.aside(() => single.run(() => note('inner')));
    await note('outer again');
  });
  const withdrawn = single.run(() => note('withdrawn'), abort.signal);
  const last = single.run(() => note('last'));
  abort.abort(new Error('withdrawn'));
  await expect(withdrawn).rejects.toThrow('withdrawn');
  await Promise.all([outer, last]);
  expect([begun, single.running]).toEqual([['outer', 'last', 'inner', 'outer again'], 0]);
});

it('generated passwords differ', () => {
  const made = new Set(Array.from({ length: 100 }, () => randomPassword()));
  expect(made.size).toBe(100);
  for (const password of made) expect(password).toMatch(/^[A-HJ-NP-Za-km-z2-9]{20}$/);
});

import { hashSync as bcryptHash } from 'bcryptjs';
import { createPasswords, nativeHashes } from '../../src/platform/crypto/passwords';
import type { HashFunctions } from '../../src/platform/crypto/passwords';
import { createWorkQueue } from '../../src/platform/crypto/work-queue';
import { randomPassword } from '../../src/platform/crypto/random-password';
import { Unavailable } from '../../src/platform/errors/errors';

/** Counts the work, and lets the test finish each piece. */
function countedHashes(): { functions: HashFunctions; calls: string[] } {
  const calls: string[] = [];
  const counted = <R>(name: string, work: (...given: [string, string]) => Promise<R>) => (...given: string[]): Promise<R> => {
    calls.push(name);
    return work(given[0] ?? '', given[1] ?? '');
  };
  return { calls, functions: {
    hash: counted('hash', (password) => nativeHashes.hash(password)),
    verify: counted('verify', (stored, password) => nativeHashes.verify(stored, password)),
    verifyBcrypt: counted('bcrypt', (stored, password) => nativeHashes.verifyBcrypt(stored, password)),
  } };
}

const queue = () => createWorkQueue({ concurrency: 2, capacity: 500 });

it('does the same work for an unknown user as for a wrong password', async () => {
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

it('compares an unknown user with a hash of the same cost', async () => {
  const seen: string[] = [];
  const passwords = createPasswords(queue(), { ...nativeHashes, verify: (stored, password) => { seen.push(stored); return nativeHashes.verify(stored, password); } });
  const stored = await passwords.hash('the right password');
  await passwords.check(stored, 'x');
  await passwords.check(null, 'x');
  const cost = (hash: string | undefined) => hash?.split('$').slice(1, 4);
  expect(cost(seen[1])).toEqual(cost(seen[0]));
  expect(cost(seen[0])?.[0]).toBe('argon2id');
});

it.each(['$2a$', '$2b$', '$2y$'])('takes the bcrypt hashes %s of installed lines, and asks for a better one', async (prefix) => {
  const passwords = createPasswords(queue());
  const stored = bcryptHash('grandfather clock', 4).replace(/^\$2.\$/, prefix);
  expect(await passwords.check(stored, 'grandfather clock')).toBe('right-upgrade');
  expect(await passwords.check(stored, 'grandmother clock')).toBe('wrong');
});

it('takes right what is right, and never what is longer than any password', async () => {
  const passwords = createPasswords(queue());
  const stored = await passwords.hash('x'.repeat(1024));
  expect(await passwords.check(stored, 'x'.repeat(1024))).toBe('right');
  expect(await passwords.check(stored, 'x'.repeat(1025))).toBe('wrong');
});

it('works on two at once, lets a bounded number wait, and refuses the rest with a time to come back', async () => {
  const small = createWorkQueue({ concurrency: 2, capacity: 3 });
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
  await expect(small.run(work)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: expect.any(Number) });
  await expect(small.run(work)).rejects.toBeInstanceOf(Unavailable);
  for (let index = 0; index < 5; index++) {
    finish.shift()?.();
    await accepted[index];
  }
  expect(await Promise.all(accepted)).toEqual(Array(5).fill('done'));
  expect([most, running, small.waiting]).toEqual([2, 0, 0]);
});

it('gives the place of work that failed to the next', async () => {
  const single = createWorkQueue({ concurrency: 1, capacity: 1 });
  const failing = single.run(() => Promise.reject(new Error('no')));
  const next = single.run(() => Promise.resolve('yes'));
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});

it('makes passwords that differ', () => {
  const made = new Set(Array.from({ length: 100 }, () => randomPassword()));
  expect(made.size).toBe(100);
  for (const password of made) expect(password).toMatch(/^[A-HJ-NP-Za-km-z2-9]{20}$/);
});

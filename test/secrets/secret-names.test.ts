import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { maskTree } from '../../src/platform/redaction';
import {
  HARMLESS_HEADERS,
  HARMLESS_NAMES,
  HARMLESS_WORDS,
  isHarmlessHeader,
  isSecretName,
  isSecretParameter,
  SECRET_NAMES,
} from '../../src/platform/secrets';
import { wordsOf } from '../../src/platform/secrets/secret-name';

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const STYLES: Record<string, (words: readonly string[]) => string> = {
  snake: (words) => words.join('_'),
  kebab: (words) => words.join('-'),
  train: (words) => words.map(capital).join('-'),
  camel: (words) => words.map((word, index) => (index === 0 ? word : capital(word))).join(''),
  pascal: (words) => words.map(capital).join(''),
  shouting: (words) => words.join('_').toUpperCase(),
  dotted: (words) => words.join('.'),
  spaced: (words) => words.map(capital).join(' '),
};
const style = fc.constantFrom(...Object.values(STYLES));
const ordinary = fc.constantFrom(
  'user',
  'customer',
  'old',
  'ticket',
  'db',
  'remote',
  'label',
  'created',
  'value',
  'shipping',
);
const around = fc.array(ordinary, { maxLength: 3 });
const { parts, words, lastWords, names, phrases } = SECRET_NAMES;

describe('a secret name', () => {
  it('is recognised with any separator and surrounding words', () => {
    const core = fc
      .constantFrom(...parts, ...words, ...phrases.filter((phrase) => phrase !== 'x auth'))
      .map((phrase) => phrase.split(' '));
    fc.assert(
      fc.property(
        around,
        core,
        around,
        style,
        fc.constantFrom('', '2', '_1'),
        (before, middle, behind, join, number) => {
          expect([
            join([...before, ...middle, ...behind]) + number,
            isSecretName(join([...before, ...middle, ...behind]) + number),
          ]).toEqual([expect.anything(), true]);
        },
      ),
    );
    fc.assert(
      fc.property(around, fc.constantFrom(...lastWords), style, (before, last, join) =>
        expect(isSecretName(join([...before, last]))).toBe(true),
      ),
    );
    for (const name of names)
      expect([
        isSecretName(name),
        isSecretName(name.toUpperCase()),
        isSecretName(`${name}_x`),
      ]).toEqual([true, true, false]);
  });

  it('is recognised in joined long words', () => {
    fc.assert(
      fc.property(
        around,
        fc.constantFrom(...parts, ...phrases.map((phrase) => phrase.replaceAll(' ', ''))),
        around,
        (before, middle, behind) => {
          expect(isSecretName([...before, middle, ...behind].join(''))).toBe(true);
        },
      ),
    );
  });

  it('is not recognised in ordinary or similar words', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            ordinary,
            fc.constantFrom(
              ...HARMLESS_WORDS,
              'passenger',
              'compass',
              'author',
              'authority',
              'key',
              'keyboard',
              'pinned',
              'spin',
              'pass',
            ),
          ),
          { minLength: 1, maxLength: 3 },
        ),
        style,
        (all, join) => {
          const inner = [...all, 'label'];
          // `auth` and `key` are ordinary words, `auth key` is not.
          fc.pre(!phrases.some((phrase) => inner.join(' ').includes(phrase)));
          expect([join(inner), isSecretName(join(inner))]).toEqual([join(inner), false]);
        },
      ),
    );
    for (const name of [
      'assertions_passed',
      'assertionType',
      'tokenType',
      'next_page_token',
      'nextPageToken',
      'max-tokens',
      'Total Tokens',
      'secretary',
      'secretaries',
      'token_endpoint',
      '',
      '42',
      '***',
      '_-_',
    ])
      expect([name, isSecretName(name)]).toEqual([name, false]);
    fc.assert(
      fc.property(fc.constantFrom(...HARMLESS_NAMES), style, (name, join) =>
        expect(isSecretName(join(name.split(' ')))).toBe(false),
      ),
    );
  });

  it.each([
    'password',
    'Authorization',
    'Set-Cookie',
    'X-Auth-User',
    'apiKEY',
    'APIKey',
    'PIN',
    'userPIN',
    'PHPSESSID',
    'JSESSIONID',
    'ｐａｓｓｗｏｒｄ',
    'x-functions-key',
    'client_secret',
    'passwordHash',
    'dbPasswords',
    'Ocp-Apim-Subscription-Key',
    'PassWord',
    'assertion',
    'client_assertion',
    'SAMLResponse',
  ])('includes %s', (name) => expect(isSecretName(name)).toBe(true));

  it('of a parameter includes `key`, an ordinary name elsewhere', () => {
    expect([
      isSecretParameter('key'),
      isSecretParameter('Key'),
      isSecretParameter('sig'),
      isSecretParameter('keys'),
      isSecretName('key'),
    ]).toEqual([true, true, true, false, false]);
  });
});

describe('the list of secret names in docs/workflows.md', () => {
  const text = readFileSync(join(__dirname, '../../docs/workflows.md'), 'utf8')
    .replace(/^[^]*## What is secret/, '')
    .replace(/\n## [^]*$/, '')
    .replace(/\n\s+/g, ' ')
    .replace(/(?<!\n)\n(?!\n|- )/g, ' ');
  const listed = (start: string, end: string): string[] => {
    const from = text.indexOf(start);
    expect(from).toBeGreaterThan(0);
    return [...text.slice(from, text.indexOf(end, from)).matchAll(/`([^`]+)`/g)]
      .map(([, name]) => wordsOf(name ?? '').join(' '))
      .sort();
  };
  const sorted = (list: readonly string[]): string[] =>
    list.map((name) => wordsOf(name).join(' ')).sort();

  it('matches the list of the program', () => {
    expect(listed('- in a word:', '- as a word')).toEqual(sorted(parts));
    expect(listed('- as a word', '- as its last')).toEqual(sorted(words));
    expect(listed('- as its last', '- as its only')).toEqual(sorted(lastWords));
    expect(listed('- as its only', ';')).toEqual(sorted(names));
    expect(listed('- these words in a row', 'These whole')).toEqual(sorted(phrases));
    expect(listed('These whole names', 'nor are these')).toEqual(sorted(HARMLESS_NAMES));
    expect(listed('nor are these words', 'Of headers')).toEqual(sorted(HARMLESS_WORDS));
    const from = text.indexOf('Only these are harmless');
    expect(
      [...text.slice(from).matchAll(/`([^`]+)`/g)]
        .map(([, name]) => (name ?? '').toLowerCase())
        .sort(),
    ).toEqual([...HARMLESS_HEADERS].sort());
  });

  it('contains no header that is documented as harmless', () => {
    for (const name of HARMLESS_HEADERS)
      expect([name, isSecretName(name), isHarmlessHeader(name.toUpperCase())]).toEqual([
        name,
        false,
        true,
      ]);
  });
});

describe('a masked document', () => {
  const secret = 'S-e-c-r-e-t';

  it('shows nothing under a secret name, at any depth and in any wrapper', () => {
    const plain = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
    const wrapped = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'medium' },
        plain,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(
          fc.oneof(fc.string(), fc.constantFrom('password', 'apiKey', 'a', '__proto__')),
          tie('value'),
          { maxKeys: 3 },
        ),
      ),
    })).value;
    const hidden = fc.oneof(
      fc.constant(secret),
      fc.constant([secret]),
      fc.constant({ inner: { deeper: [secret] }, [secret]: 1 }),
    );
    fc.assert(
      fc.property(
        wrapped,
        hidden,
        fc.constantFrom('password', 'X-Api-Key', 'userPin', 'tokens'),
        fc.array(fc.constantFrom('a', 'list'), { maxLength: 5 }),
        (beside, inside, name, path) => {
          const tree = path.reduce<unknown>(
            (below, step) => (step === 'list' ? [beside, below] : { beside, [step]: below }),
            { [name]: inside, beside },
          );
          expect(JSON.stringify(maskTree(tree))).not.toContain(secret);
        },
      ),
    );
  });

  it('keeps all other values, and null and booleans under a secret name', () => {
    const tree = {
      a: [1, 'x', null, { b: true }],
      password: null,
      hasPassword: true,
      at: new Date(0),
      ['__proto__']: 1,
    };
    expect(maskTree(tree)).toEqual(tree);
  });

  it('is limited for cyclic, shared and huge values', () => {
    const loop: Record<string, unknown> = { name: 'a' };
    loop.self = loop;
    expect(JSON.stringify(maskTree(loop)).length).toBeLessThan(10_000);
    let shared: unknown = 'x';
    for (let level = 0; level < 40; level += 1) shared = [shared, shared];
    expect(JSON.stringify(maskTree(shared, { values: 1_000 })).length).toBeLessThan(100_000);
    const large = Array.from({ length: 1_000 }, () => ({ ['n'.repeat(500)]: 'x'.repeat(5_000) }));
    expect(
      JSON.stringify(maskTree(large, { characters: 1_000, allCharacters: 50_000 })).length,
    ).toBeLessThan(200_000);
    expect(
      maskTree({ text: 'x'.repeat(100), list: [1, 2, 3] }, { characters: 4, entries: 2 }),
    ).toEqual({ text: 'xxxx… (100 characters)', list: [1, 2, '… (3 entries)'] });
  });
});

it('a name gets the same result after many other names were checked', () => {
  const names = Array.from({ length: 5_000 }, (_, nth) =>
    nth % 2 === 0 ? `password${nth}` : `city${nth}`,
  );
  const verdicts = names.map((_, nth) => nth % 2 === 0);
  for (let time = 0; time < 2; time += 1) expect(names.map(isSecretName)).toEqual(verdicts);
});

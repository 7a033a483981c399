import fc from 'fast-check';
import {
  isOnlyReferences,
  SECRET_NAME,
  secretKey,
  secretMarkAt,
  secretsNamedIn,
  usesSecret,
} from '../../src/platform/secrets';
import { fold } from '../../src/platform/text/fold';
import { rounds } from '../support/rounds';

const named = (document: object): string[] => [...secretsNamedIn(document)].sort();
const withBody = (fields: unknown): object => ({
  title: '{%secret.title%}',
  ui: { note: '{%secret.layout%}' },
  fromConnector: {
    methods: [{ id: 'a', request: { endpoint: 'https://a/', body: { fields } } }],
    operators: [],
  },
});

describe('the mark of a named secret', () => {
  it.each([
    ['{%secret.github%}', 'github', 17],
    ['{% secret.GitHub %}x', 'GitHub', 19],
    ['{%SECRET.a-b_1%}', 'a-b_1', 16],
    ['{%secret.%}', '', 11],
    ['{%secret.two words%}', 'two words', 20],
  ])('has a valid form: %s', (text, name, end) => {
    expect(secretMarkAt(text, 0)).toEqual({ name, end });
    expect(usesSecret(`before ${text} behind`)).toBe(true);
  });

  it.each([
    '{%secret%}',
    '{%secrets.a%}',
    '{secret.a}',
    '${secret.a}',
    '{%#FFCFB5.(response).body.secret.a%}',
    '{%secret.a}',
    '{%secret.{%x%}',
    'secret.a',
    '{%',
  ])('is not %s', (text) => {
    expect(secretMarkAt(text, 0)).toBeNull();
    expect(usesSecret(text)).toBe(false);
  });

  it('names the source of a value without its content', () => {
    for (const text of [
      '{%secret.a%}',
      ' {% secret.a %} ',
      'Bearer {%secret.a%}',
      'token {%secret.a%}',
      'SSWS {%secret.okta%}',
      '{%secret.a%};{%secret.b%}',
      'Bearer {%#FFCFB5.(response).body.t%}',
    ])
      expect(isOnlyReferences(text)).toBe(true);
    for (const text of [
      'Bearer',
      'Bearer ',
      'Bearer abc',
      'Bearer abc{%secret.a%}',
      'Bearer {%secret.a%}x',
      'hunter2 {%secret.a%}',
      'x',
      '',
    ])
      expect(isOnlyReferences(text)).toBe(false);
  });
});

describe('the key of a secret name', () => {
  it('is used to compare all valid names', () => {
    fc.assert(
      fc.property(fc.stringMatching(SECRET_NAME), (name) =>
        expect(secretKey(name)).toBe(fold(name)),
      ),
    );
  });

  it('never matches a secret for an invalid name', () => {
    const letters = fc.string({
      minLength: 1,
      maxLength: 8,
      unit: fc.constantFrom(
        'k',
        'K',
        '\u212a',
        's',
        '\u017f',
        'i',
        '\u0130',
        '\u0131',
        '\uff2b',
        '1',
        '-',
      ),
    });
    fc.assert(
      fc.property(letters, (name) =>
        expect(SECRET_NAME.test(secretKey(name))).toBe(SECRET_NAME.test(name)),
      ),
      { numRuns: rounds(500) },
    );
  });
});

describe('the secrets named in a workflow', () => {
  it('are found in all steps and bindings, by key and once each', () => {
    expect(
      named({
        title: '{%secret.title%}',
        description: '{%secret.description%}',
        ui: ['{%secret.ui%}'],
        fromConnector: {
          methods: [
            {
              request: {
                endpoint: 'https://a/{%secret.Url%}?b={%secret.url%}',
                method: '{%secret.verb%}',
                header: { A: 'x {% secret.header %} y', '{%secret.name%}': 'x' },
                body: { fields: { a: [{ b: '"{%secret.json%}"' }], '{%secret.key%}': 1 } },
              },
            },
            null,
            7,
            'text {%secret.text%}',
          ],
          operators: [{ expression: '{%secret.expression%} = 1' }],
        },
        toConnector: { methods: [{ request: { endpoint: '{%secret.old%}' } }] },
        fieldBinding: [{ enhancement: { expertCode: 'RESULT_VAR = "{%secret.script%}"' } }],
      }),
    ).toEqual([
      'expression',
      'header',
      'json',
      'key',
      'name',
      'old',
      'script',
      'text',
      'url',
      'verb',
    ]);
  });

  it('exclude invalid names', () => {
    expect(
      named(
        withBody([
          '{%secret.%}',
          '{%secret.1a%}',
          '{%secret.a b%}',
          '{%secret.ä%}',
          `{%secret.a${'b'.repeat(64)}%}`,
          '{%secret.a.b%}',
          'secret.a',
        ]),
      ),
    ).toEqual([]);
    expect(named({})).toEqual([]);
    expect(named({ fromConnector: null, fieldBinding: 'x' })).toEqual([]);
  });

  it('are found at any position in a text', () => {
    const around = fc.string({
      maxLength: 20,
      unit: fc.constantFrom('{', '%', '}', ' ', 'secret', '.', 'a', '{%', '%}', '#', '$'),
    });
    fc.assert(
      fc.property(
        around,
        fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,20}$/),
        around,
        (before, name, after) => {
          expect(named(withBody({ deep: [[`${before}{%secret.${name}%}${after}`]] }))).toContain(
            name.toLowerCase(),
          );
        },
      ),
      { numRuns: rounds(500) },
    );
  });
});

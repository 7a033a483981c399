import fc from 'fast-check';
import { isLargeJson, jsonPieces } from '../../src/platform/json/write-json';
import { collected } from '../support/collected';
import { longIt } from '../support/long';
import { rounds } from '../support/rounds';

async function* slowly<T>(entries: readonly T[]): AsyncGenerator<T> {
  for (const entry of entries) {
    await Promise.resolve();
    yield entry;
  }
}

const written = async (value: unknown): Promise<string> =>
  (await collected(jsonPieces(value))).join('');

describe('the incremental JSON writer', () => {
  const value = fc.jsonValue({ maxDepth: 4 });
  const odd = fc.constantFrom(
    undefined,
    new Date(0),
    NaN,
    Infinity,
    -0,
    'é"\\\u2028\ud800',
    [],
    {},
    [undefined],
    { a: undefined, b: () => 1, c: new Date(5) },
  );

  it('writes the text of JSON.stringify', async () => {
    const pad = Array(3_000).fill(1);
    await fc.assert(
      fc.asyncProperty(value, odd, fc.boolean(), async (some, other, large) => {
        const whole = {
          some,
          other,
          list: [some, other, large ? pad : 0],
          ...(large && { more: { pad, other, some } }),
        };
        expect(await written(whole)).toBe(JSON.stringify(whole));
      }),
      { numRuns: rounds(60) },
    );
  });

  it('writes the same text for a string of any length', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('a', 'é"\\', '\u{1F600}', '\ud83d', '\ude00\ud83d', '\n'),
        fc.nat({ max: 5 }),
        async (part, before) => {
          const text = 'x'.repeat(before) + part.repeat(150_000 / part.length);
          for (const value of [{ text, more: [text, 1] }, [text], text, { [text]: text }])
            expect(await written(value)).toBe(JSON.stringify(value));
        },
      ),
      { numRuns: 20 },
    );
  });

  it('writes asynchronous lists as they arrive, at any position', async () => {
    const users = Array.from({ length: 5_000 }, (_, id) => ({ id, name: `user ${id}` }));
    expect(
      JSON.parse(
        await written({ _embedded: { users: slowly(users), none: slowly([]) }, a: [slowly([1])] }),
      ),
    ).toEqual({ _embedded: { users, none: [] }, a: [[1]] });
    expect(await written(slowly([undefined, null]))).toBe('[null,null]');
  });

  it('is used only for large values', () => {
    expect([{}, [], 'a', null, 5, { a: Array(100).fill('text') }].map(isLargeJson)).toEqual([
      false,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(
      [
        Array(3_000).fill(0),
        'a'.repeat(1_000_000),
        { a: [[Object.fromEntries(Array.from({ length: 3_000 }, (_, nth) => [nth, 0]))]] },
        slowly([]),
      ].map(isLargeJson),
    ).toEqual([true, true, true, true]);
  });

  longIt('yields, and ends its source when the reader disconnects', async () => {
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
    }, 1);
    let ended = false;
    async function* endless(): AsyncGenerator<object> {
      try {
        for (let id = 0; ; id += 1) yield { id, text: 'a text of some length', list: [1, 2, 3] };
      } finally {
        ended = true;
      }
    }
    let characters = 0;
    for await (const piece of jsonPieces({ list: endless() })) {
      characters += piece.length;
      if (characters > 20_000_000) break;
    }
    clearInterval(counting);
    expect([turns > 3, ended]).toEqual([true, true]);
  });
});

import { hasAsyncList, jsonPieces } from '../../src/platform/json/write-json';
import { collected } from '../support/store/collected';

async function* slowly<T>(entries: readonly T[]): AsyncGenerator<T> {
  for (const entry of entries) {
    await Promise.resolve();
    yield entry;
  }
}

const written = async (value: unknown): Promise<string> =>
  (await collected(jsonPieces(value))).join('');

describe('JSON with lists that are still being read', () => {
  it('is written like other JSON, with lists as arrays', async () => {
    const users = Array.from({ length: 5_000 }, (_, id) => ({ id, name: `user ${id}` }));
    const plain = { n: null, at: new Date(0), gone: undefined, text: 'é"\\\u2028', list: [1, {}] };
    const text = await written({ ...plain, _embedded: { users: slowly(users), none: slowly([]) } });
    expect(text).toBe(JSON.stringify({ ...plain, _embedded: { users, none: [] } }));
    expect(await written(slowly([undefined, null, plain]))).toBe(
      JSON.stringify([null, null, plain]),
    );
  });

  it('is recognised at any depth of objects', () => {
    const list = slowly([]);
    expect([list, { a: list }, { a: { b: list } }].map(hasAsyncList)).toEqual([true, true, true]);
    expect([{}, [], 'a', null, 5, { a: { b: new Date() } }].map(hasAsyncList)).toEqual(
      Array(6).fill(false),
    );
  });

  it('ends its source when the reader disconnects', async () => {
    let ended = false;
    async function* endless(): AsyncGenerator<object> {
      try {
        for (let id = 0; ; id += 1) yield { id, text: 'a text of some length' };
      } finally {
        ended = true;
      }
    }
    let characters = 0;
    for await (const piece of jsonPieces({ list: endless() })) {
      characters += piece.length;
      if (characters > 1_000_000) break;
    }
    expect(ended).toBe(true);
  });
});

import fc from 'fast-check';
import { outcome, testService, unique } from '../../support/service/harness';
import type { Answer } from '../../support/service/harness';
import { INVISIBLE_CODE_POINTS } from '../../support/documents/texts';
import { saved, workflow } from '../../support/documents/workflows';
import { rounds } from '../../support/rounds';

const service = testService();
const spoilt = (name: string) =>
  fc
    .tuple(fc.constantFrom(...INVISIBLE_CODE_POINTS), fc.nat(name.length - 1))
    .map(([point, at]) => `${name.slice(0, at + 1)}${point}${name.slice(at + 1)}x`);

describe('a name with invisible characters', () => {
  it.each<[string, (name: string) => Promise<Answer>, [number, string]]>([
    [
      'an e-mail',
      (name) =>
        service.api('POST', '/api/user', {
          body: { email: `${name}@hypha.test`, password: 'long enough', userGroup: 2 },
        }),
      [500, 'CREATION_ERROR'],
    ],
    [
      'a group',
      (name) => service.api('POST', '/api/role', { body: { name } }),
      [400, 'BAD_REQUEST'],
    ],
    [
      'a permission',
      (name) => service.api('POST', '/api/permission', { body: { name } }),
      [500, 'WRONG_PERMISSION'],
    ],
  ])('is rejected as the name of %s', async (_case, send, expected) => {
    await fc.assert(
      fc.asyncProperty(spoilt('admin'), async (name) => {
        expect(outcome(await send(name))).toEqual(expected);
      }),
      { numRuns: rounds(40) },
    );
  });

  it('is kept as a title and equals the same title without them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...INVISIBLE_CODE_POINTS),
        fc.constantFrom(...INVISIBLE_CODE_POINTS),
        async (one, other) => {
          const stem = unique('Title');
          const id = await saved(service, workflow([], [], { title: `${stem}a${one}b` }));
          expect((await service.api('GET', `/api/connection/${id}`)).body.title).toBe(
            `${stem}a${one}b`,
          );
          for (const duplicate of [`${stem}ab`, `${other}${stem}A${other}b`]) {
            await service.refuses(409, 'TITLE_HAS_ALREADY_TAKEN', 'POST', '/api/connection', {
              body: workflow([], [], { title: duplicate }),
            });
          }
        },
      ),
      { numRuns: 10 },
    );
  });

  it('is rejected as a title without visible characters', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.constantFrom(...INVISIBLE_CODE_POINTS),
            fc.constantFrom(' ', '\u00a0', '\u3000'),
          ),
          { maxLength: 5 },
        ),
        async (points) => {
          await service.refuses(400, 'TITLE_INVALID', 'POST', '/api/connection', {
            body: workflow([], [], { title: points.join('') }),
          });
        },
      ),
      { numRuns: 20 },
    );
  });
});

describe('maximum lengths', () => {
  const long = '😀';
  it.each<[string, number, (text: string) => Promise<boolean>]>([
    [
      'a title',
      100,
      async (text) =>
        (await service.status('POST', '/api/connection', {
          body: workflow([], [], { title: `${unique('T').padEnd(28, ' ')}${text}` }),
        })) === 201,
    ],
    [
      'a description of a workflow',
      512,
      async (description) =>
        (await service.status('POST', '/api/connection', {
          body: workflow([], [], { title: unique('Described'), description }),
        })) === 201,
    ],
    [
      'a name of a group',
      15,
      async (text) =>
        (await service.status('POST', '/api/role', {
          body: { name: unique('G').padEnd(30, 'x') + text },
        })) === 201,
    ],
    [
      'a description of a group',
      255,
      async (description) =>
        (await service.status('POST', '/api/role', {
          body: { name: unique('G'), description },
        })) === 201,
    ],
    [
      'a name of a person',
      45,
      async (name) =>
        (await service.status('PUT', '/api/userDetail/1', { body: { name } })) === 200,
    ],
    [
      'a text to look for',
      200,
      async (text) =>
        (
          await service.gql(
            'query($t: String!) { workflows(filter: { title: { contains: $t } }) { totalCount } }',
            { t: text },
          )
        ).errors === undefined,
    ],
  ])('of %s are counted in code points: %i', async (_case, most, fits) => {
    expect(await fits(long.repeat(most))).toBe(true);
    expect(await fits(long.repeat(most + 1))).toBe(false);
  });

  it.each(['NFC', 'NFD'])('are found in both compositions if stored in %s', async (form) => {
    const mark = unique('Müller-Höhe ');
    const title = mark.normalize(form);
    const description = `Für ${mark} (ä)`.normalize(form);
    await saved(service, workflow([], [], { title }));
    await service.api('POST', '/api/role', {
      body: { name: title, description },
    });
    for (const text of [mark.normalize('NFC'), mark.normalize('NFD')]) {
      const counts = await service.data(
        'query($t: String!) { workflows(filter: { title: { contains: $t } }) { totalCount } userGroups(filter: { description: { contains: $t } }) { totalCount } }',
        { t: text.toUpperCase() },
      );
      expect(counts).toEqual({ workflows: { totalCount: 1 }, userGroups: { totalCount: 1 } });
    }
  });

  it('of a title do not depend on its length for comparison', async () => {
    const title = '\ufdfa'.repeat(128); // A ligature of 18 characters.
    await saved(service, workflow([], [], { title }));
    expect(
      await service.status('POST', '/api/connection', {
        body: workflow([], [], { title: title.normalize('NFKC').slice(0, 100) }),
      }),
    ).toBe(201);
    await service.refuses(409, 'TITLE_HAS_ALREADY_TAKEN', 'POST', '/api/connection', {
      body: workflow([], [], { title: `${title.slice(1)}\ufdfa\u200d`.slice(0, 128) }),
    });
  });

  it('of an e-mail are 254', async () => {
    const email = (letters: number): string => `${unique('e')}@${'𐐨'.repeat(letters)}`;
    const create = (address: string) =>
      service.status('POST', '/api/user', {
        body: { email: address, password: 'long enough', userGroup: 2 },
      });
    const around = email(1).length - 2;
    expect(await create(email(254 - around))).toBe(201);
    expect(await create(email(255 - around))).toBe(500);
  });
});

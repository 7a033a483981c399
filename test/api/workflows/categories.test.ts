import { outcome, testService, unique } from '../../support/service/harness';
import type { Answer } from '../../support/service/harness';
import { method, saved, workflow } from '../../support/documents/workflows';

const service = testService();

const made = async (body: object): Promise<number> => {
  const answer = await service.api('POST', '/api/category', { body });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.id as number;
};
const category = (parentCategory?: number, name = unique('Category ')): Promise<number> =>
  made({ name, parentCategory });
const read = (id: number): Promise<any> => service.body('GET', `/api/category/${id}`);
const status = (path: string): Promise<number> => service.status('GET', path);
const inside = (categoryId: number | null, more: object = {}): Promise<number> =>
  saved(service, workflow([], [], { categoryId, ...more }));
const move = async (id: number, parentCategory: number | null): Promise<Answer> =>
  service.api('PUT', `/api/category/${id}`, {
    body: { name: (await read(id)).name, parentCategory },
  });

describe('categories over REST', () => {
  it('are created, read, renamed and moved as released clients do', async () => {
    const top = await category(undefined, 'Tickets');
    const created = await service.api('POST', '/api/category', {
      body: { id: null, name: ' Support ', parentCategory: top, subCategories: null },
    });
    expect(created).toMatchObject({
      status: 201,
      body: {
        id: expect.any(Number),
        name: 'Support',
        parentCategory: { id: top, name: 'Tickets' },
        subCategories: [],
      },
    });
    expect(created.headers.get('location')).toBe(`${service.url}/api/category/${created.body.id}`);
    expect(await read(top)).toEqual({ id: top, name: 'Tickets', subCategories: [created.body.id] });
    expect(await service.body('GET', '/api/category/all')).toEqual([await read(top), created.body]);

    const moved = await service.api('PUT', `/api/category/${created.body.id}`, {
      body: { id: created.body.id, name: 'Help', parentCategory: null },
    });
    expect(moved).toMatchObject({
      status: 200,
      body: { id: created.body.id, name: 'Help', subCategories: [] },
    });
    expect(moved.body).not.toHaveProperty('parentCategory');
    const again = { ...(await read(top)), subCategories: [created.body.id] };
    expect(await service.body('PUT', `/api/category/${top}`, { body: again })).toEqual(again);
    expect(
      (
        await service.api('PUT', `/api/category/${created.body.id}`, {
          body: await read(created.body.id),
        })
      ).body.parentCategory,
    ).toEqual({ id: top, name: 'Tickets' });
    expect(
      (
        await service.api('PUT', `/api/category/${top}`, {
          body: { name: 'Tickets', subCategories: [] },
        })
      ).body.subCategories,
    ).toEqual([]);
    await service.refuses(400, 'BAD_REQUEST', 'PUT', `/api/category/${top}`, {
      body: { id: 4_711, name: 'Tickets' },
    });
  });

  it('have unique names regardless of case and invisible characters, even when created concurrently', async () => {
    const name = unique('Straße ');
    const answers = await Promise.all(
      [name, name.toUpperCase(), ` ${name} `, name.replace('ß', 'ss')]
        .flatMap((one) => [one, one])
        .map((one) => service.api('POST', '/api/category', { body: { name: one } })),
    );
    expect(answers.map(outcome).sort()).toEqual([
      [201, undefined],
      ...Array(7).fill([409, 'TITLE_HAS_ALREADY_TAKEN']),
    ]);
    const exists = async (one: string): Promise<string> =>
      (await service.api('GET', `/api/category/check/${encodeURIComponent(one)}`)).body.message;
    expect([
      await exists(name.toUpperCase()),
      await exists(`${name}!`),
      await exists('a/b %'),
    ]).toEqual(['EXISTS', 'NOT_EXISTS', 'NOT_EXISTS']);
  });

  it.each([[null], [''], [' \u200b'], ['x'.repeat(129)], ['a\u0000b'], ['a\nb'], [undefined]])(
    'reject the name %j',
    async (name) => {
      await service.refuses(400, 'INVALID_CATEGORY_NAME', 'POST', '/api/category', {
        body: { name },
      });
    },
  );
});

describe('a category cycle', () => {
  it('is rejected for every way to create it, without changes', async () => {
    const a = await category();
    const b = await category(a);
    const c = await category(b);
    const before = await Promise.all([a, b, c].map(read));
    for (const [id, parent] of [
      [a, a],
      [a, b],
      [a, c],
      [b, c],
    ] as const)
      expect(outcome(await move(id, parent))).toEqual([409, 'CYCLE_HAS_FOUND']);
    for (const [id, subCategories] of [
      [c, [a]],
      [c, [b]],
      [a, [a]],
    ] as const) {
      await service.refuses(409, 'CYCLE_HAS_FOUND', 'PUT', `/api/category/${id}`, {
        body: { name: (await read(id)).name, subCategories },
      });
    }
    await service.refuses(409, 'CYCLE_HAS_FOUND', 'POST', '/api/category', {
      body: { name: unique('Ring '), parentCategory: c, subCategories: [a] },
    });
    expect(await Promise.all([a, b, c].map(read))).toEqual(before);
    expect((await move(a, c)).body.error).toContain(
      [a, c, b, a].map((id) => before.find((one) => one.id === id).name as string).join(' > '),
    );
  });
});

describe('deleting a category', () => {
  it('clears the category of its workflows and moves subcategories to the top', async () => {
    const top = await category();
    const middle = await category(top);
    const below = await category(middle);
    const [one, other] = [await inside(middle), await inside(top)];
    const before = await service.body('GET', `/api/connection/${one}`);
    expect(await service.status('DELETE', `/api/category/${middle}`)).toBe(204);

    expect(await status(`/api/category/${middle}`)).toBe(404);
    expect(await read(below)).not.toHaveProperty('parentCategory');
    const after = await service.api('GET', `/api/connection/${one}`);
    expect(after.body).toEqual({ ...before, categoryId: null });
    expect(await service.body('GET', '/api/connection/all')).toContainEqual(after.body);
    expect(
      (
        await service.field('query($id: ID!) { workflow(id: $id) { category { databaseId } } }', {
          id: one,
        })
      ).category,
    ).toBeNull();
    expect((await service.api('GET', `/api/connection/${other}`)).body.categoryId).toBe(top);
    // Saving the document again must not restore the category.
    expect(
      (
        await service.api('PUT', `/api/connection/${one}`, {
          body: { ...after.body, description: 'again' },
        })
      ).body.categoryId,
    ).toBeNull();
    await service.mutate(
      'workflowUpdate',
      { id: one, description: 'and again' },
      'userErrors { code }',
    );
    expect((await service.api('GET', `/api/connection/${one}`)).body.categoryId).toBeNull();
    expect(
      (
        await service.field(
          '{ auditEvents(first: 100) { nodes { action target { targetId } before } } }',
        )
      ).nodes,
    ).toContainEqual({
      action: 'CATEGORY_DELETE',
      target: { targetId: String(middle) },
      before: expect.objectContaining({ parentId: top, workflowIds: [one] }),
    });
  });

  it('with cascade deletes the workflows of the whole subtree and nothing else', async () => {
    const [top, other] = [await category(), await category()];
    const deep = await category(await category(top));
    const ids = [
      await inside(top),
      await inside(deep, {
        fromConnector: { methods: [method('0', 'http://127.0.0.1:9/')], operators: [] },
      }),
    ];
    const [stays, free] = [await inside(other), await inside(null)];
    expect(await service.status('DELETE', `/api/category/cascade-delete/${top}`)).toBe(204);
    for (const id of [top, deep]) expect(await status(`/api/category/${id}`)).toBe(404);
    for (const id of ids) expect(await status(`/api/connection/${id}`)).toBe(404);
    for (const path of [
      `/api/category/${other}`,
      `/api/connection/${stays}`,
      `/api/connection/${free}`,
    ])
      expect(await status(path)).toBe(200);
    const { nodes } = await service.field(
      '{ auditEvents(first: 100) { nodes { action target { targetId } } } }',
    );
    for (const id of ids)
      expect(nodes).toContainEqual({ action: 'WORKFLOW_DELETE', target: { targetId: String(id) } });
  });

  it('in a list deletes all or none', async () => {
    const [a, b] = [await category(), await category()];
    const below = await category(a);
    const [inA, inB] = [await inside(a), await inside(b)];
    for (const path of ['list/delete', 'list/cascade-delete']) {
      await service.refuses(404, 'CATEGORY_NOT_FOUND', 'PUT', `/api/category/${path}`, {
        body: { identifiers: [a, 987_654, b] },
      });
    }
    expect([
      await status(`/api/category/${a}`),
      (await service.api('GET', `/api/connection/${inA}`)).body.categoryId,
    ]).toEqual([200, a]);
    expect(
      await service.status('PUT', '/api/category/list/delete', { body: { identifiers: [a, a] } }),
    ).toBe(204);
    expect([
      (await service.api('GET', `/api/connection/${inA}`)).body.categoryId,
      await read(below),
    ]).toEqual([null, expect.not.objectContaining({ parentCategory: expect.anything() })]);
    const c = await category(b);
    expect(
      await service.status('PUT', '/api/category/list/cascade-delete', {
        body: { identifiers: [c, b] },
      }),
    ).toBe(204);
    for (const path of [`/api/category/${b}`, `/api/category/${c}`, `/api/connection/${inB}`])
      expect(await status(path)).toBe(404);
  });
});

describe('categories over GraphQL', () => {
  it('link to parent, children and workflows, and can be updated and deleted', async () => {
    const create = async (name: string, parentId: string | null): Promise<any> => {
      const categoryCreate = await service.mutate(
        'categoryCreate',
        { name, parentId },
        'category { id databaseId } userErrors { code path }',
      );
      expect(categoryCreate.userErrors).toEqual([]);
      return categoryCreate.category;
    };
    const top = await create(unique('Top '), null);
    const [b, a] = [await create(unique('b '), top.id), await create(unique('A '), top.id)];
    const [first, second] = [await inside(top.databaseId), await inside(top.databaseId)];
    await inside(top.databaseId, { title: '!*test_connection_1700000000000 of a category' });
    const shown = await service.field(
      `query($id: ID!) { category(id: $id) {
      parent { id } children(first: 1) { totalCount nodes { id parent { id } } pageInfo { hasNextPage } } workflows { totalCount nodes { databaseId category { id } } } viewerCan { read update delete } } }`,
      { id: top.id },
    );
    expect(shown).toEqual({
      parent: null,
      children: {
        totalCount: 2,
        nodes: [{ id: a.id, parent: { id: top.id } }],
        pageInfo: { hasNextPage: true },
      },
      workflows: {
        totalCount: 2,
        nodes: [first, second].map((databaseId) => ({ databaseId, category: { id: top.id } })),
      },
      viewerCan: { read: true, update: true, delete: true },
    });
    const categories = await service.field(
      'query($id: ID!) { categories(filter: { parentId: { eq: $id } }, orderBy: { field: ID, direction: DESC }) { nodes { id } } }',
      { id: top.id },
    );
    expect(categories.nodes).toEqual([{ id: a.id }, { id: b.id }]);

    const update = (input: object): Promise<unknown> =>
      service.mutate(
        'categoryUpdate',
        input,
        'category { name parent { id } version } userErrors { code path }',
      );
    expect(await update({ id: top.id, parentId: a.id })).toEqual({
      category: null,
      userErrors: [{ code: 'CYCLE_HAS_FOUND', path: ['parentId'] }],
    });
    expect(await update({ id: b.id, name: ' ', parentId: 'x' })).toEqual({
      category: null,
      userErrors: [
        { code: 'ID_INVALID', path: ['parentId'] },
        { code: 'INVALID_CATEGORY_NAME', path: ['name'] },
      ],
    });
    const name = unique('renamed ');
    expect(await update({ id: b.id, name })).toEqual({
      category: { name, parent: { id: top.id }, version: 2 },
      userErrors: [],
    });
    expect(await update({ id: b.id, parentId: null })).toEqual({
      category: { name, parent: null, version: 3 },
      userErrors: [],
    });

    const remove = (input: object): Promise<any> =>
      service.mutate('categoryDelete', input, 'category { databaseId } userErrors { code }');
    expect(await remove({ id: top.id, cascade: true })).toEqual({
      category: { databaseId: top.databaseId },
      userErrors: [],
    });
    expect([
      await status(`/api/connection/${first}`),
      await status(`/api/category/${a.databaseId}`),
      await status(`/api/category/${b.databaseId}`),
    ]).toEqual([404, 404, 200]);
    const categoriesDelete = await service.mutate(
      'categoriesDelete',
      { ids: [b.id] },
      'ids userErrors { code }',
    );
    expect(categoriesDelete).toEqual({ ids: [b.id], userErrors: [] });
  });
});

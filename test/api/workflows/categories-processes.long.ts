import { unique } from '../../support/service/harness';
import { both, testProcesses } from '../../support/service/two-processes';

const processes = testProcesses();

const made = (parentId: number | null = null): Promise<number> =>
  processes.left.services.categories
    .create(processes.admin, { name: unique('Category '), parentId })
    .then(({ _id }) => _id);
const move = (process: 'left' | 'right', id: number, parentId: number): Promise<unknown> =>
  processes[process].services.categories.update(processes.admin, id, { parentId });

it('concurrent moves in two processes never create a category cycle', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [a, b] = [await made(), await made()];
    const [deepA, deepB] = [await made(await made(a)), await made(await made(b))];
    const results = await both(move('left', a, deepB), move('right', b, deepA));
    expect([
      ['done', 'CYCLE_HAS_FOUND'],
      ['CYCLE_HAS_FOUND', 'done'],
    ]).toContainEqual(results);
  }
});

it('a category deleted in one process never contains what another process moves into it', async () => {
  const { left, right, admin } = processes;
  for (let round = 0; round < 5; round += 1) {
    const [deletedId, moved] = [await made(), await made()];
    const moves = await both(
      left.services.categories.remove(admin, deletedId),
      move('right', moved, deletedId),
    );
    expect([
      ['done', 'PARENT_CATEGORY_NOT_FOUND'],
      ['done', 'done'],
    ]).toContainEqual(moves);
    expect((await left.services.categories.get(moved)).parentId).toBeNull();

    const emptied = await made();
    const document = {
      title: unique('Workflow '),
      categoryId: emptied,
      fromConnector: { methods: [], operators: [] },
      fieldBinding: [],
    };
    const saves = await both(
      left.services.categories.remove(admin, emptied),
      right.services.workflows.save(admin, null, { document }),
    );
    expect([
      ['done', 'CATEGORY_NOT_FOUND'],
      ['done', 'done'],
    ]).toContainEqual(saves);
    expect(await left.services.workflowReferences.using({ categoryIds: [emptied] })).toEqual([]);
  }
});

it('two processes create only one category of the same name', async () => {
  const name = unique('Name ');
  const { left, right, admin } = processes;
  expect(
    (
      await both(
        left.services.categories.create(admin, { name }),
        right.services.categories.create(admin, { name: name.toUpperCase() }),
      )
    ).sort(),
  ).toEqual(['TITLE_HAS_ALREADY_TAKEN', 'done']);
});

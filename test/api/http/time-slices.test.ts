import { setTimeout as pause } from 'node:timers/promises';
import { asTask, assignTaskToUser, nextSlice } from '../../../src/platform/event-loop';
import { WorkQueue } from '../../../src/platform/queues';

/** Long work that logs its name in each time slice. */
async function work(name: string, slices: number, notes: string[]): Promise<void> {
  for (let slice = 0; slice < slices; slice += 1) {
    await nextSlice();
    notes.push(name);
  }
}

const task = (user: string, name: string, slices: number, notes: string[]): Promise<void> =>
  asTask(user, () => work(name, slices, notes));

it('two users get alternate time slices, for any number of requests', async () => {
  const notes: string[] = [];
  await Promise.all([
    ...Array.from({ length: 8 }, () => task('many', 'many', 3, notes)),
    task('one', 'one', 10, notes),
  ]);
  expect(notes.slice(0, 20)).toEqual(Array.from({ length: 10 }, () => ['many', 'one']).flat());
});

it('timers run between two time slices', async () => {
  const notes: string[] = [];
  let isOver = false;
  const long = Promise.all(
    Array.from({ length: 4 }, (_, nth) => task('many', String(nth), 500, notes)),
  ).then(() => {
    isOver = true;
  });
  await pause(0);
  expect([isOver, notes.length < 2_000]).toEqual([false, true]);
  await long;
});

it('queued work counts for the user who queued it, not for the one whose end started it', async () => {
  const queue = new WorkQueue({ concurrency: 1, capacity: 10 });
  const notes: string[] = [];
  await Promise.all([
    ...['a', 'a', 'b'].map((user) => asTask(user, () => queue.run(() => work(user, 2, notes)))),
    task('a', 'other a', 8, notes),
  ]);
  // At the end of the queue, b alternates with the other request of a; as part of the work of a it would come later.
  expect(notes.lastIndexOf('b')).toBeLessThan(notes.lastIndexOf('other a'));
});

it('a request moves to the share of its user once the user is known', async () => {
  const notes: string[] = [];
  await Promise.all([
    ...Array.from({ length: 4 }, () => task('network', 'anonymous', 4, notes)),
    asTask('network', async () => {
      assignTaskToUser(7);
      await work('known', 4, notes);
    }),
  ]);
  expect(notes.slice(0, 8)).toEqual([
    'anonymous',
    'known',
    'anonymous',
    'known',
    'anonymous',
    'known',
    'anonymous',
    'known',
  ]);
});

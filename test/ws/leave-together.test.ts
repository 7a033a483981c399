import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { batchWrites } from '../../src/platform/ws/write-batch';

it('leaveTogether flushes writes to several streams in order at the end of the tick and later writes immediately', async () => {
  const left: string[] = [];
  const stream = (name: string): Writable =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        left.push(`${name}${chunk.toString()}`);
        done();
      },
    });
  const [one, other, closed] = ['one', 'other', 'closed'].map(stream);
  for (const each of [one, other, closed]) batchWrites(each);
  one.write(' first');
  other.write(' first');
  one.write(' second');
  closed.destroy();
  expect(left).toEqual([]);
  await setImmediate();
  expect(left).toEqual(['one first', 'one second', 'other first']);
  one.write(' third');
  expect(left.at(-1)).toBe('one third');
  batchWrites(one);
  one.end(' last');
  await setImmediate();
  expect(left.at(-1)).toBe('one last');
});

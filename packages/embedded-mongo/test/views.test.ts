import fc from 'fast-check';
import { Overlay } from '../src/transactions/overlay';
import type { Entry, Range, ReadView } from '../src/storage/views';
import { MessageReader } from '../src/wire/messages';

/** A view over a plain map, as the reference model. */
function modelOf(content: ReadonlyMap<string, string>): ReadView {
  return {
    count: (range) => [...modelOf(content).range(range)].length,
    get: (key) =>
      content.has(key.toString()) ? Buffer.from(content.get(key.toString())!) : undefined,
    range: ({ start, end, reverse }: Range) => {
      const entries = [...content]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, value]): Entry => ({ key: Buffer.from(key), value: Buffer.from(value) }))
        .filter(({ key }) => Buffer.compare(key, start) >= 0 && Buffer.compare(key, end) < 0);
      return reverse ? entries.reverse() : entries;
    },
  };
}

const text = ({ key, value }: Entry): string => `${key.toString()}=${value.toString()}`;
const key = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 2 });

describe('the view of a transaction', () => {
  it('is its snapshot with its own writes over it, forward and backward', () => {
    const content = fc
      .dictionary(key, fc.string({ maxLength: 2 }))
      .map((entries) => new Map(Object.entries(entries)));
    const writes = fc.array(fc.tuple(key, fc.option(fc.string({ maxLength: 2 }))));
    fc.assert(
      fc.property(content, writes, key, key, fc.boolean(), (base, changes, start, end, reverse) => {
        const touched: string[] = [];
        const overlay = new Overlay(modelOf(base), {
          locked: () => undefined,
          touched: (one) => void touched.push(one.toString()),
        });
        const expected = new Map(base);
        for (const [name, value] of changes) {
          if (value === null) {
            overlay.remove(Buffer.from(name));
            expected.delete(name);
          } else {
            overlay.put(Buffer.from(name), Buffer.from(value));
            expected.set(name, value);
          }
        }
        const range = { start: Buffer.from(start), end: Buffer.from(end), reverse };
        expect([...overlay.range(range)].map(text)).toEqual(
          [...modelOf(expected).range(range)].map(text),
        );
        for (const name of [...base.keys(), ...changes.map(([one]) => one)])
          expect(overlay.get(Buffer.from(name))?.toString()).toBe(expected.get(name));
        expect(touched).toEqual([...new Set(changes.map(([name]) => name))]);
      }),
    );
  });
});

describe('the message reader', () => {
  it('finds the same messages for any chunks of the stream', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
        (bodies, cuts) => {
          const messages = bodies.map((body) => {
            const message = Buffer.concat([Buffer.alloc(16), body]);
            message.writeInt32LE(message.length, 0);
            return message;
          });
          const stream = Buffer.concat(messages);
          const reader = new MessageReader();
          const received: string[] = [];
          for (let at = 0, turn = 0; at < stream.length; turn++) {
            const length = cuts[turn % cuts.length];
            for (const message of reader.push(stream.subarray(at, at + length)))
              received.push(message.toString('hex'));
            at += length;
          }
          expect(received).toEqual(messages.map((message) => message.toString('hex')));
        },
      ),
    );
  });

  it('rejects lengths that no driver sends', () => {
    const push = (length: number): unknown => {
      const bytes = Buffer.alloc(16);
      bytes.writeInt32LE(length, 0);
      return [...new MessageReader().push(bytes)];
    };
    for (const length of [-1, 0, 15, 48_000_001, 0x7fff_ffff])
      expect(() => push(length)).toThrow(/cannot read/);
  });
});

import { chunks } from './chunks';
import { afterPrefix, metaKey } from './keys';
import type { Kv } from './kv';
import { Slice } from './slice';
import type { ReadView, WriteView } from './views';

const GARBAGE = 'g/';

/**
 * What dropped collections and indexes leave behind: all keys with some prefix. It is written down in the commit that drops them, and
 * removed afterwards in many small commits; what is left when the process dies is removed after the next start.
 */
export class Garbage {
  private sweeping: Promise<void> | undefined;

  constructor(private readonly kv: Kv) {}

  /** Part of the commit after which nobody reads or writes keys with these prefixes. */
  static add(view: WriteView, prefixes: readonly Buffer[]): void {
    for (const prefix of prefixes) view.put(metaKey(GARBAGE + prefix.toString('hex')), prefix);
  }

  /** Removes everything there is. Others have their turns meanwhile. */
  async sweep(): Promise<void> {
    // What was dropped after a sweep had begun may be missed by it.
    await this.sweeping;
    await (this.sweeping ??= this.sweepAll().finally(() => (this.sweeping = undefined)));
  }

  private async sweepAll(): Promise<void> {
    if (first(this.kv.committed) === undefined) return;
    while (await this.kv.write(sweepSome, { frees: true }));
  }
}

/** True when there is more. */
function sweepSome(view: WriteView): boolean {
  const slice = new Slice();
  for (let record = first(view); record !== undefined && !slice.isOver(); record = first(view)) {
    const start = record.value;
    let isEmpty = true;
    for (const entries of chunks(() => view, { start, end: afterPrefix(start) })) {
      for (const { key } of entries) view.remove(key);
      isEmpty = !slice.isOver();
      if (!isEmpty) break;
    }
    if (isEmpty) view.remove(record.key);
  }
  return first(view) !== undefined;
}

function first(view: ReadView): { readonly key: Buffer; readonly value: Buffer } | undefined {
  const start = metaKey(GARBAGE);
  for (const record of view.range({ start, end: afterPrefix(start) })) return record;
  return undefined;
}

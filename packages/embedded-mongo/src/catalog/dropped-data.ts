import { afterPrefix, metaKey } from '../storage/keys';
import type { Kv } from '../storage/kv';
import { readInChunks } from '../storage/views';
import type { ReadView, WriteView } from '../storage/views';
import { TimeSlice } from '../time-slices';

const DROPPED = 'g/';

/**
 * Deletes the keys of dropped collections and indexes. Their prefixes are recorded in the commit
 * that drops them and deleted later in small commits, if necessary after a restart.
 */
export class DroppedData {
  private sweeping: Promise<void> | undefined;

  constructor(private readonly kv: Kv) {}

  /** Call in the commit after which the keys with these prefixes are unused. */
  static add(view: WriteView, prefixes: readonly Buffer[]): void {
    for (const prefix of prefixes) view.put(metaKey(DROPPED + prefix.toString('hex')), prefix);
  }

  /** Deletes all recorded keys in time slices. */
  async sweep(): Promise<void> {
    // A running sweep may miss what was dropped after it started.
    await this.sweeping;
    await (this.sweeping ??= this.sweepAll().finally(() => (this.sweeping = undefined)));
  }

  private async sweepAll(): Promise<void> {
    if (first(this.kv.committed) === undefined) return;
    while (await this.kv.write(deleteSome, { reserve: 'always' }));
  }
}

/** Returns true if there is more. */
function deleteSome(view: WriteView): boolean {
  const slice = new TimeSlice();
  for (let record = first(view); record !== undefined && !slice.isOver(); record = first(view)) {
    const start = record.value;
    let isEmpty = true;
    for (const entries of readInChunks(() => view, { start, end: afterPrefix(start) })) {
      for (const { key } of entries) view.remove(key);
      isEmpty = !slice.isOver();
      if (!isEmpty) break;
    }
    if (isEmpty) view.remove(record.key);
  }
  return first(view) !== undefined;
}

function first(view: ReadView): { readonly key: Buffer; readonly value: Buffer } | undefined {
  const start = metaKey(DROPPED);
  for (const record of view.range({ start, end: afterPrefix(start) })) return record;
  return undefined;
}

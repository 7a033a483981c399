import { metaKey } from '../../src/storage/keys';
import { Kv } from '../../src/storage/kv';

/** Writes a record of the store itself, such as `owner` or `format`, without regard to the owning process. */
export async function writeRecord(dir: string, name: string, value: Uint8Array): Promise<void> {
  const kv = new Kv({ dir, durability: 'test' });
  kv.writeNow((view) => view.put(metaKey(name), Buffer.from(value)));
  await kv.close();
}

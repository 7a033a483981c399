import type { Store, Tx } from '../../platform/store/store';
import { partIds, unpackJson } from '../workflows/workflow-document.service';
import type { JsonObject, PackedJson, StoredPart } from '../workflows/workflow-document.service';
import type { ContentRef } from '../workflows/workflow.model';
import { templateContentModel } from './template.model';

export type TemplateContents = ReturnType<typeof createTemplateContents>;

/** Bodies of templates, compressed, apart from what is listed. Written once, never changed. */
export function createTemplateContents(store: Store) {
  const contents = templateContentModel(store);
  return {
    async write(packed: readonly PackedJson[], tx: Tx): Promise<void> {
      await contents.insertMany(packed.flatMap(({ parts }) => parts), { session: tx.session });
    },

    async remove(refs: readonly ContentRef[], tx: Tx): Promise<void> {
      await contents.deleteMany({ _id: { $in: refs.flatMap(partIds) } }, { session: tx.session });
    },

    /** The bodies by content id, in one read; those that are gone by now are missing. */
    async read(refs: readonly ContentRef[]): Promise<Map<string, JsonObject>> {
      const found = await contents.find({ _id: { $in: refs.flatMap(partIds) } }).lean<StoredPart[]>();
      const known = new Map(found.map((part) => [part._id, part]));
      const bodies = new Map<string, JsonObject>();
      for (const ref of refs) {
        const parts = partIds(ref).map((id) => known.get(id));
        if (parts.every((part) => part !== undefined)) bodies.set(ref.id, (await unpackJson(parts)).value as JsonObject);
      }
      return bodies;
    },
  };
}

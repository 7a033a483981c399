import type { Store, Tx } from '../../platform/store/store';
import { DocumentsTogether, partIds, unpackJson } from '../workflows/workflow-document.service';
import type { JsonObject, PackedJson, StoredPart } from '../workflows/workflow-document.service';
import type { ContentRef } from '../workflows/workflow.model';
import { templateContentModel } from './template.model';

export type TemplateContents = ReturnType<typeof createTemplateContents>;

/**
 * Compressed bodies of templates, stored apart from the listed fields. Written once, never changed.
 */
export function createTemplateContents(store: Store) {
  const contents = templateContentModel(store);

  /**
   * The bodies in the order of `refs`, null if deleted, in one query. Each is unpacked as the
   * caller iterates, so that only one is in memory.
   */
  async function* each(
    refs: readonly ContentRef[],
  ): AsyncGenerator<
    { readonly ref: ContentRef; readonly body: JsonObject | null; readonly bytes: number },
    void,
    void
  > {
    const found = await contents.find({ _id: { $in: refs.flatMap(partIds) } }).lean<StoredPart[]>();
    const known = new Map(found.map((part) => [part._id, part]));
    for (const ref of refs) {
      const parts = partIds(ref).map((id) => known.get(id));
      const unpacked = parts.every((part) => part !== undefined) ? await unpackJson(parts) : null;
      yield {
        ref,
        body: (unpacked?.value ?? null) as JsonObject | null,
        bytes: unpacked?.length ?? 0,
      };
    }
  }

  return {
    async write(packed: readonly PackedJson[], tx: Tx): Promise<void> {
      await contents.insertMany(
        packed.flatMap(({ parts }) => parts),
        { session: tx.session },
      );
    },

    async remove(refs: readonly ContentRef[], tx: Tx): Promise<void> {
      await contents.deleteMany({ _id: { $in: refs.flatMap(partIds) } }, { session: tx.session });
    },

    each,

    /**
     * The bodies by content id, without deleted ones, in one query.
     * @throws TooLarge the bodies do not fit into memory together
     */
    async read(refs: readonly ContentRef[]): Promise<Map<string, JsonObject>> {
      const bodies = new Map<string, JsonObject>();
      const together = new DocumentsTogether();
      for await (const { ref, body, bytes } of each(refs)) {
        together.add(bytes);
        if (body) bodies.set(ref.id, body);
      }
      return bodies;
    },
  };
}

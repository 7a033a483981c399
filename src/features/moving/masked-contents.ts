import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import { Binary } from 'bson';
import { bytesOf } from '../../platform/store/stored-bytes';
import type { StoredBytes } from '../../platform/store/stored-bytes';
import type { RawRecord, WholeStore } from '../../platform/store/startup/whole-store';
import { exportedXml } from '../invokers/invoker.service';
import {
  maskDocument,
  packJson,
  partIds,
  readStored,
  unpackJson,
} from '../workflows/workflow-document.service';
import type { JsonObject, StoredPart } from '../workflows/workflow-document.service';

const [compress, expand] = [promisify(deflate), promisify(inflate)];

/** Fields of a reference that masking changes: `ContentRef`, `SourceRef`. */
type ChangedRef = Readonly<Record<string, unknown>>;

const idOf = (ref: unknown): string => String((ref as { readonly id: unknown }).id);

/** Masks the documents of workflows and the XML of invokers, and corrects references to them. */
export class MaskedContents {
  /** By content id, only of documents and XML that are exported otherwise. */
  private readonly changed = new Map<string, ChangedRef>();
  /** Ids of contents in which values have to be entered again. */
  private readonly masked = new Set<string>();

  constructor(private readonly all: WholeStore) {}

  isMasked(ref: unknown): boolean {
    return this.masked.has(idOf(ref));
  }

  /** Returns the reference to the masked content. */
  refTo(ref: unknown): object {
    return { ...(ref as object), ...this.changed.get(idOf(ref)) };
  }

  /** The parts of the documents of all versions, as the API shows them to readers. */
  async *workflows(): AsyncGenerator<object, void, void> {
    for await (const { content } of this.all.read('workflow_versions')) {
      const { id, parts: count } = content as { readonly id: string; readonly parts: unknown };
      const parts = await this.partsOf(partIds({ id, parts: Number(count) }));
      if (parts === null) continue;
      const { value } = await unpackJson(parts);
      const document = readStored(value as JsonObject);
      const masked = maskDocument(document);
      const [packed, before] = [await packJson(id, masked), await packJson(id, document)];
      if (packed.ref.hash === before.ref.hash) yield* parts;
      else {
        this.changed.set(id, packed.ref as unknown as ChangedRef);
        this.masked.add(id);
        for (const part of packed.parts) yield { _id: part._id, bytes: new Binary(part.bytes) };
      }
    }
  }

  /**
   * The XML of all invokers. Shipped ones, which no user has changed, stay as they are. Each is read
   * by itself: masking a batch could take longer than a transaction may be idle.
   */
  async *invokers(): AsyncGenerator<object, void, void> {
    const isShipped = new Map<string, boolean>();
    for await (const { origin, source } of this.all.read('invokers'))
      isShipped.set(idOf(source), origin === 'SHIPPED');
    for (const [id, isUnchanged] of isShipped)
      for await (const source of this.all.read('invoker_sources', [id]))
        yield isUnchanged ? source : await this.maskedSource(id, source);
  }

  private async maskedSource(id: string, source: RawRecord): Promise<object> {
    const before = (await expand(bytesOf(source.bytes as StoredBytes))).toString();
    const { text, isMasked } = await exportedXml(before);
    if (text === before) return source;
    const bytes = Buffer.from(text);
    const hash = createHash('sha256').update(bytes).digest('hex');
    this.changed.set(id, { hash, bytes: bytes.length });
    if (isMasked) this.masked.add(id);
    return { ...source, bytes: new Binary(await compress(bytes)) };
  }

  /** Returns null if a part is missing: the version was removed in the meantime. */
  private async partsOf(ids: readonly string[]): Promise<(RawRecord & StoredPart)[] | null> {
    const partsById = new Map<unknown, RawRecord & StoredPart>();
    for await (const part of this.all.read('workflow_contents', ids))
      partsById.set(part._id, part as RawRecord & StoredPart);
    const parts = ids.map((id) => partsById.get(id));
    return parts.every((part) => part !== undefined) ? parts : null;
  }
}

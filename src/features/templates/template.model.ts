import { orMissing, orNull, partOf, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';
import type { Author, ContentPartRecord, ContentRef } from '../workflows/workflow.model';
import type { ConnectorSlot } from './body/connector-slots';

/**
 * A workflow without connectors, from which workflows are created. Its body is stored separately.
 */
export interface TemplateRecord {
  readonly _id: number;
  /** Lower-case UUID, the id in REST and files; unique. */
  readonly templateId: string;
  readonly name: string;
  readonly nameKey: string;
  readonly description: string | null;
  readonly license: string | null;
  /** The product version that wrote it, or to whose form it was converted. */
  readonly productVersion: string;
  /** The connectors to choose. */
  readonly connectors: readonly ConnectorSlot[];
  /** Paths of removed secrets. */
  readonly leftOut: readonly string[];
  /**
   * Assumptions about an incomplete file. Missing in templates stored before this field existed.
   */
  readonly warnings?: readonly string[];
  readonly content: ContentRef;
  /** Starts at 1; incremented by each save. */
  readonly version: number;
  readonly createdAt: Date;
  readonly createdBy: Author;
  readonly updatedAt: Date;
  readonly updatedBy: Author;
}

const author = partOf<Author>({ userId: Number, email: String });

const templateSchema = schemaOf<TemplateRecord>({
  _id: Number,
  templateId: String,
  name: String,
  nameKey: String,
  description: orNull(String),
  license: orNull(String),
  productVersion: String,
  connectors: [partOf<ConnectorSlot>({ invoker: orNull(String), title: String })],
  leftOut: [String],
  warnings: orMissing([String]),
  content: partOf<ContentRef>({ id: String, parts: Number, hash: String }),
  version: Number,
  createdAt: Date,
  createdBy: author,
  updatedAt: Date,
  updatedBy: author,
});
templateSchema.index({ templateId: 1 }, { unique: true });
for (const field of ['nameKey', 'createdAt', 'updatedAt'])
  templateSchema.index({ [field]: 1, _id: 1 });

export const templateCollection = (store: Store) =>
  store.collection<TemplateRecord>('Template', templateSchema, 'templates');

const contentSchema = schemaOf<ContentPartRecord>({ _id: String, bytes: Buffer });

export const templateContentCollection = (store: Store) =>
  store.collection<ContentPartRecord>('TemplateContent', contentSchema, 'template_contents');

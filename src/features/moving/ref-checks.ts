import { Refused } from '../../platform/errors/errors';

/** Parts of contents, whose ids are `<content id>/<part>`, and XML of invokers. */
const CONTENTS: ReadonlySet<string> = new Set([
  'workflow_contents',
  'template_contents',
  'invoker_sources',
]);

/** Collections whose records refer to contents, by the field that does. */
const REFERRING: Readonly<Record<string, string>> = {
  invokers: 'source',
  templates: 'content',
  workflow_versions: 'content',
  workflows: 'content',
};

/**
 * Checks that records refer only to contents that were exported before. A MongoDB may be changed
 * during the export.
 */
export class RefChecks {
  private readonly exported = new Set<string>();

  /** @param isNeeded false if all records are of one moment */
  constructor(private readonly isNeeded: boolean) {}

  /** @throws Refused EXPORT_REFUSED */
  async *checked(
    collection: string,
    records: AsyncIterable<object>,
  ): AsyncGenerator<object, void, void> {
    const field = REFERRING[collection];
    for await (const record of records) {
      if (this.isNeeded && CONTENTS.has(collection))
        this.exported.add(String((record as { readonly _id: unknown })._id).split('/')[0] ?? '');
      if (this.isNeeded && field !== undefined) this.require(record, field);
      yield record;
    }
  }

  private require(record: object, field: string): void {
    const { id } = (record as Readonly<Record<string, { readonly id: unknown } | undefined>>)[
      field
    ] ?? { id: '' };
    if (!this.exported.has(String(id)))
      throw new Refused(
        'EXPORT_REFUSED',
        'The data was changed while it was exported. Stop the processes of the service, or try again.',
      );
  }
}

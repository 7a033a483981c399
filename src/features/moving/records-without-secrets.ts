import { MASK, maskUrlPath } from '../../platform/redaction';
import type { RawRecord, WholeStore } from '../../platform/store/startup/whole-store';
import type { EnterAgain } from './manifest';
import { MaskedContents } from './masked-contents';

type Fields = Readonly<Record<string, unknown>>;

/** Reads collections without secret values, and collects what is missing afterwards. */
export class RecordsWithoutSecrets {
  private readonly contents: MaskedContents;
  private readonly missing = {
    connectors: [] as { title: string; fields: string[] }[],
    workflows: [] as string[],
    invokers: [] as string[],
    notifications: [] as string[],
    passwords: 0,
  };
  /** Workflows whose logs are masked when they are read, not when they are stored. */
  private readonly ruled = new Set<number>();
  private readonly ruledRuns = new Set<number>();

  constructor(private readonly all: WholeStore) {
    this.contents = new MaskedContents(all);
  }

  /** Yields the records to export, in the order of `collectionsToExport`. */
  async *read(collection: string): AsyncGenerator<object, void, void> {
    if (collection === 'workflow_contents') yield* this.contents.workflows();
    else if (collection === 'invoker_sources') yield* this.contents.invokers();
    else
      for await (const record of this.all.read(collection)) {
        const clean = this.cleaners[collection]?.(record) ?? record;
        if (clean !== 'left out') yield clean;
      }
  }

  /** Call after all collections were read. */
  async enterAgain(): Promise<EnterAgain> {
    const { all } = this;
    return {
      ...this.missing,
      secrets: await textsOf(all, 'secrets', 'name'),
      webhooks: await textsOf(
        all,
        'schedules',
        'title',
        await idsOf(all, 'webhooks', 'scheduleId'),
      ),
      secondFactors: await textsOf(
        all,
        'users',
        'email',
        await idsOf(all, 'second_factors', '_id'),
      ),
      apiTokens: await all.count('api_tokens'),
    };
  }

  private readonly cleaners: Readonly<
    Record<string, (record: RawRecord) => object | 'left out' | undefined>
  > = {
    connectors: (record) => {
      const fields = (record.requestData as readonly Fields[]).map(({ name }) => String(name));
      if (fields.length > 0) this.missing.connectors.push({ title: String(record.title), fields });
      return { ...record, requestData: [] };
    },
    deliveries: ({ finishedAt }) => (finishedAt === null ? 'left out' : undefined),
    invokers: (record) => {
      if (this.contents.isMasked(record.source)) this.missing.invokers.push(String(record.name));
      return { ...record, source: this.contents.refTo(record.source) };
    },
    masking_rules: ({ workflowId }) => void this.ruled.add(Number(workflowId)),
    notifications: (record) => {
      const before = record.recipients as readonly string[];
      const recipients = before.map(maskUrlPath);
      if (recipients.some((recipient, at) => recipient !== before[at]))
        this.missing.notifications.push(String(record.name));
      return { ...record, recipients };
    },
    run_event_batches: ({ runId }) => (this.ruledRuns.has(Number(runId)) ? 'left out' : undefined),
    runs: (record) => this.cleanRun(record),
    users: (record) => {
      if (record.passwordHash !== null) this.missing.passwords += 1;
      return { ...record, passwordHash: null };
    },
    workflow_versions: (record) => ({ ...record, content: this.contents.refTo(record.content) }),
    workflows: (record) => {
      if (this.contents.isMasked(record.content)) this.missing.workflows.push(String(record.title));
      return { ...record, content: this.contents.refTo(record.content) };
    },
  };

  private cleanRun(record: RawRecord): object {
    // Its journal is left out, so the run cannot go on.
    const { journalKey: _key, journalUntil: _until, hasOpenStep: _open, ...fields } = record;
    const run = { ...fields, content: this.contents.refTo(record.content) };
    if (!this.ruled.has(Number(record.workflowId))) return run;
    this.ruledRuns.add(Number(record._id));
    const { values: _values, ...rest } = run as RawRecord;
    return {
      ...rest,
      ...(record.error !== null && { error: { ...(record.error as Fields), message: MASK } }),
    };
  }
}

async function idsOf(all: WholeStore, collection: string, field: string): Promise<unknown[]> {
  const ids: unknown[] = [];
  for await (const record of all.read(collection)) ids.push(record[field]);
  return ids;
}

/** A field of the records with these ids, or of all. */
async function textsOf(
  all: WholeStore,
  collection: string,
  field: string,
  ids?: readonly unknown[],
): Promise<string[]> {
  const texts: string[] = [];
  for await (const record of all.read(collection, ids)) texts.push(String(record[field]));
  return texts;
}

import type { RunEventLog } from './events/run-event-log';
import type { TaskJournal } from './execution/run-engine';
import { withEmptyAnswer, withoutLastStep } from '../../engine';
import type { RunPlace } from '../../engine';
import type { Clock } from '../../platform/clock/clock';
import { sealedPart } from '../../platform/crypto/sealed';
import type { Sealed } from '../../platform/crypto/sealed';
import { sealedRecords } from '../../platform/crypto/sealed-records';
import type { SealedValues } from '../../platform/crypto/sealed-records';
import type { Vault } from '../../platform/crypto/vault';
import type { Collection } from '../../platform/store/collection';
import { orMissing, orNull, partOf, schemaOf } from '../../platform/store/schema';
import { isDuplicateKey } from '../../platform/store/store';
import type { Store, Tx } from '../../platform/store/store';
import { runCollection } from './run.model';
import { isResumable } from './run-continuation';
import type { ContinueFrom } from './run-continuation';
import type { RunRecord } from './run.model';

/** A part of the journal of a run: lines that follow those of the parts before. */
export interface JournalPart {
  /** Run and number: if two processes write parts of a run, only one can store the next. */
  readonly _id: string;
  readonly runId: number;
  /** From 1, without gaps. */
  readonly nth: number;
  /** Length of its text. 0: the run was queued again after the parts before. */
  readonly length: number;
  /** The step that was about to send something that must not be sent twice, at its last line. */
  readonly open?: RunPlace;
  readonly sealed: Sealed;
  /** Null while the run is going on. */
  readonly expiresAt: Date | null;
}

const place = partOf<RunPlace>({
  step: orNull(String),
  name: orMissing(String),
  index: String,
  loopIndex: [Number],
  attempt: Number,
});
const journalSchema = schemaOf<JournalPart>({
  _id: String,
  runId: Number,
  nth: Number,
  length: Number,
  open: orMissing(place),
  sealed: sealedPart,
  expiresAt: orNull(Date),
});
journalSchema.index({ runId: 1, nth: 1 });
journalSchema.index({ 'sealed.keyId': 1 });
journalSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** A character has up to three bytes, sealing adds a third, and a record has at most 16 MiB. */
const MAX_TEXT = 3 * 1024 * 1024;
/** A run that was queued again so often without anything new is not queued again. */
export const MAX_IDLE = 5;

const idOf = (runId: number, nth: number): string => `${runId}/${nth}`;
const sealingOf = (id: string): string => `run-journal:${id}`;

/** No character is cut in two. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  do {
    const end = from + MAX_TEXT;
    const upTo = /[\uDC00-\uDFFF]/.test(text.charAt(end)) ? end - 1 : end;
    pieces.push(text.slice(from, upTo));
    from = upTo;
  } while (from < text.length);
  return pieces;
}

/** The end of a journal. */
export interface JournalEnd {
  /** Number of its last part; 0 if there is none. */
  readonly nth: number;
  /** The step that may have sent something, and whose answer is not known. */
  readonly open: RunPlace | null;
  /** How often the run was queued again without anything new. */
  readonly idle: number;
}

/** The first lines of a run that continues another one. */
interface CopiedJournal {
  readonly lines: readonly string[];
  /** The step whose call is the last line, without an answer. */
  readonly open: RunPlace | null;
}

/** What a process needs of the journal of a run that it executes. */
export interface RunJournal {
  /** For the process that executes the run. */
  readonly task: TaskJournal;
  /** Sequence of its last event before it was opened. */
  readonly lastSequence: number;
  /** Stores lines; in order. Null: the journal has reached its maximum and is removed. */
  write(text: string | null, open: RunPlace | null): Promise<void>;
  /** Resolves when everything written is stored; rejects if it cannot be. */
  settle(): Promise<void>;
}

/**
 * Journals of runs: what they learned from outside, so that another process can go on with them.
 * Sealed, since answers may hold secrets. Removed when the run ends, except of failed runs.
 */
export class RunJournals {
  /** For changing the vault key. */
  readonly sealing: SealedValues;
  private readonly parts: Collection<JournalPart>;
  private readonly runs: Collection<RunRecord>;

  constructor(
    private readonly deps: {
      readonly store: Store;
      readonly clock: Clock;
      readonly vault: Vault;
      readonly events: Pick<RunEventLog, 'lastSequence'>;
      readonly maxBytes: number;
      /** How long journals of failed runs are kept, ms. */
      readonly keepMs: number;
    },
  ) {
    const { store, vault } = deps;
    this.parts = store.collection<JournalPart>('RunJournal', journalSchema, 'run_journals');
    this.runs = runCollection(store);
    this.sealing = sealedRecords({ store, vault, records: this.parts, contextOf: sealingOf });
  }

  /**
   * Opens the journal of a run that begins or goes on. Null: it keeps none.
   * @param durably repeats a write while the store is unavailable, and refuses it if another process
   * holds the run
   */
  async open(
    run: RunRecord,
    durably: (write: () => Promise<void>) => Promise<void>,
  ): Promise<RunJournal | null> {
    const { _id: runId, fence, continues, journalKey: key, resumes = 0 } = run;
    if (key === undefined || !isResumable(run)) return null;
    const { events, maxBytes } = this.deps;
    // A run that begins has none yet, and no events.
    const isFirst = fence <= 1;
    const isNew = isFirst && continues === undefined;
    const { lines, last } = isNew ? { lines: [], last: 0 } : await this.read(runId);
    const lastSequence = isFirst ? 0 : await events.lastSequence(runId);
    const storedEvents = Math.max(lastSequence - resumes, 0);
    let nth = last;
    let stored: Promise<void> = Promise.resolve();
    return {
      task: { key, lines, maxBytes, storedEvents, resumes },
      lastSequence,
      write: (text, open) => {
        const records = text === null ? null : this.recordsOf(runId, nth, text, open);
        nth += records?.length ?? 0;
        stored = stored.then(() =>
          durably(() => (records === null ? this.abandon(runId) : this.insert(records))),
        );
        return stored;
      },
      settle: () => stored,
    };
  }

  async endOf(runId: number, tx: Tx): Promise<JournalEnd> {
    const parts = await this.parts.find<Pick<JournalPart, 'nth' | 'length' | 'open'>>(
      { runId },
      { tx, fields: { nth: 1, length: 1, open: 1 }, sort: { nth: -1 }, limit: MAX_IDLE + 1 },
    );
    const idle = parts.findIndex(({ length }) => length > 0);
    return {
      nth: parts[0]?.nth ?? 0,
      open: parts.find(({ length }) => length > 0)?.open ?? null,
      idle: idle < 0 ? parts.length : idle,
    };
  }

  /** Notes that the run is queued again: a process that lost it can store nothing more. */
  async mark(runId: number, { nth }: JournalEnd, tx: Tx): Promise<void> {
    await this.parts.insertMany(this.recordsOf(runId, nth, '', null), tx);
  }

  /**
   * Keeps the journal of a run that has failed for a while, and removes others.
   * @returns until when it is kept; null if it is not
   */
  async end(runId: number, isFailed: boolean, tx: Tx): Promise<Date | null> {
    const { clock, keepMs } = this.deps;
    const expiresAt = new Date(clock.now().getTime() + keepMs);
    const isKept = isFailed && keepMs > 0;
    if (isKept) await this.parts.updateMany({ runId }, { $set: { expiresAt } }, tx);
    else await this.parts.deleteMany({ runId }, tx);
    return isKept ? expiresAt : null;
  }

  /** The journal of a run that has failed, for a run that continues it. */
  async toContinue(
    { _id, error, hasOpenStep }: Pick<RunRecord, '_id' | 'error' | 'hasOpenStep'>,
    from: ContinueFrom,
  ): Promise<CopiedJournal> {
    const { lines, open } = await this.read(_id);
    if (from === 'AFTER_STEP') return { lines: withEmptyAnswer(lines), open: null };
    // An open call is sent again in its place: what its step did before is done.
    if (hasOpenStep || error === null || error.index === null) return { lines, open };
    const { index, loopIndex = [] } = error;
    return { lines: withoutLastStep(lines, { index, loopIndex }), open: null };
  }

  /** Stores the first lines of a run. */
  async begin(runId: number, { lines, open }: CopiedJournal, tx: Tx): Promise<void> {
    if (lines.length === 0) return;
    const text = lines.map((line) => `${line}\n`).join('');
    for (const part of this.recordsOf(runId, 0, text, open)) await this.parts.insert(part, tx);
  }

  private async read(runId: number): Promise<CopiedJournal & { readonly last: number }> {
    let text = '';
    let last = 0;
    let open: RunPlace | null = null;
    for await (const part of this.parts.each({ runId }, { sort: { nth: 1 }, batchSize: 2 })) {
      text += this.deps.vault.open(part.sealed, sealingOf(part._id));
      last = part.nth;
      if (part.length > 0) open = part.open ?? null;
    }
    return { lines: text.split('\n').slice(0, -1), last, open };
  }

  private recordsOf(
    runId: number,
    after: number,
    text: string,
    open: RunPlace | null,
  ): JournalPart[] {
    const texts = piecesOf(text);
    return texts.map((piece, at) => {
      const nth = after + at + 1;
      const _id = idOf(runId, nth);
      return {
        _id,
        runId,
        nth,
        length: piece.length,
        ...(open && at === texts.length - 1 && { open }),
        sealed: this.deps.vault.seal(piece, sealingOf(_id)),
        expiresAt: null,
      };
    });
  }

  /** All or none, so that no line is torn. */
  private async insert(records: readonly JournalPart[]): Promise<void> {
    try {
      if (records.length === 1) await this.parts.insert(records[0]);
      else await this.deps.store.transaction((tx) => this.parts.insertMany(records, tx));
    } catch (error) {
      // An attempt whose answer was lost may have stored them.
      const stored = isDuplicateKey(error) ? await this.parts.byId(records[0]._id) : null;
      if (stored?.sealed.text !== records[0].sealed.text) throw error;
    }
  }

  private async abandon(runId: number): Promise<void> {
    await this.deps.store.transaction(async (tx) => {
      await this.runs.updateOne({ _id: runId }, { $set: { journalFull: true } }, tx);
      await this.parts.deleteMany({ runId }, tx);
    });
  }
}

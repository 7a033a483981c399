import { runInSlices } from '../../event-loop';
import { JsonTooLarge, LIGHT_CHARACTERS, requireSize } from '../operations/json-writer';

/**
 * A JSON text. Large ones are trees of pieces, some already in UTF-8, so that they can be encoded
 * without holding up the event loop.
 */
export type Text = string | readonly (Text | Buffer)[];

/** A text, or one that needs values that are not there yet. */
export type EventualText = Text | Promise<Text>;

export const isText = (value: EventualText): value is Text =>
  typeof value === 'string' || Array.isArray(value);

/** The data of an answer. */
export class WrittenData {
  constructor(
    readonly text: Text,
    /** Whether any root field has a value. */
    readonly hasValues: boolean,
  ) {}
}

/** Texts of fields or entries in order. */
export class EventualTexts {
  private readonly texts: EventualText[] = [];
  private isReady = true;

  constructor(texts: readonly EventualText[] = []) {
    for (const text of texts) this.add(text);
  }

  get length(): number {
    return this.texts.length;
  }

  add(text: EventualText): void {
    this.texts.push(text);
    this.isReady &&= isText(text);
  }

  /** All texts; rejects with the first that rejects. */
  all(): readonly Text[] | Promise<readonly Text[]> {
    return this.isReady
      ? (this.texts as readonly Text[])
      : Promise.all(this.texts as readonly Promise<Text>[]);
  }

  /**
   * Rejects with an error once all texts are there, or with the first that rejects before that.
   * @throws the error, if all texts are there
   */
  rejectAfterAll(error: unknown): Promise<never> {
    if (this.isReady) throw error;
    return Promise.all(this.texts as readonly Promise<Text>[]).then(() => {
      throw error;
    });
  }

  /** Keeps rejections from ending the process if nothing waits for the texts. */
  ignoreRejections(): void {
    void Promise.allSettled(this.texts as readonly Promise<Text>[]);
  }
}

/** Concatenates texts; a string as long as they are small. */
export class TextBuilder {
  private pieces: (Text | Buffer)[] | undefined;

  constructor(private text: string) {}

  add(added: Text): void {
    if (typeof added === 'string') {
      this.text += added;
      if (this.text.length > LIGHT_CHARACTERS) this.endPiece();
    } else {
      this.endPiece().push(added);
    }
  }

  end(last: string): Text {
    if (this.pieces === undefined) return this.text + last;
    this.pieces.push(this.text + last);
    return this.pieces;
  }

  private endPiece(): (Text | Buffer)[] {
    this.pieces ??= [];
    this.pieces.push(this.text);
    this.text = '';
    return this.pieces;
  }
}

/** Joins the texts of entries to that of a list. */
export function joinList(texts: readonly Text[]): Text {
  const builder = new TextBuilder('[');
  for (const [index, text] of texts.entries()) {
    if (index > 0) builder.add(',');
    builder.add(text);
  }
  return builder.end(']');
}

/**
 * Encodes a text as it is sent: a string if it is small, otherwise pieces in UTF-8.
 * @throws JsonTooLarge more than `maxBytes`
 */
export async function encodeText(
  text: Text,
  maxBytes: number,
): Promise<string | readonly Buffer[]> {
  if (typeof text === 'string' && text.length <= LIGHT_CHARACTERS) {
    requireSize(text, maxBytes);
    return text;
  }
  return runInSlices(function* encode(slice) {
    const pieces: Buffer[] = [];
    let bytes = 0;
    for (const part of partsOf(text)) {
      const piece = typeof part === 'string' ? Buffer.from(part) : part;
      bytes += piece.length;
      if (bytes > maxBytes) throw new JsonTooLarge(maxBytes);
      pieces.push(piece);
      if (slice.over) yield;
    }
    return pieces;
  });
}

/** Yields the parts of a text, small ones together. */
function* partsOf(text: Text): Generator<string | Buffer> {
  let part = '';
  for (const leaf of leavesOf(text)) {
    if (typeof leaf === 'string') part += leaf;
    if (part !== '' && (part.length > LIGHT_CHARACTERS || typeof leaf !== 'string')) {
      yield part;
      part = '';
    }
    if (typeof leaf !== 'string') yield leaf;
  }
  if (part !== '') yield part;
}

function* leavesOf(text: Text | Buffer): Generator<string | Buffer> {
  if (typeof text === 'string' || Buffer.isBuffer(text)) yield text;
  else for (const piece of text) yield* leavesOf(piece);
}

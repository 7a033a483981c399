import { GraphQLError } from 'graphql';

/** The answer exceeds its limit. */
export class JsonTooLarge extends GraphQLError {
  constructor(maxBytes: number) {
    super(`The answer has more than ${maxBytes} bytes. Ask for less at a time.`, {
      extensions: { code: 'QUERY_TOO_COMPLEX' },
    });
  }
}

/** A value of a field cannot be written as JSON, so that there is no answer. */
export class NotWritable extends Error {}

/** @throws JsonTooLarge the text and `otherBytes` together have more than `maxBytes` in UTF-8 */
export function requireSize(text: string, maxBytes: number, otherBytes = 0): void {
  const most = maxBytes - otherBytes;
  if (text.length * 3 > most && Buffer.byteLength(text) > most) throw new JsonTooLarge(maxBytes);
}

/** A JSON text, or one that needs values that are not there yet. */
export type EventualText = string | Promise<string>;

/** Data of an answer, written as JSON. */
export class WrittenData {
  constructor(
    readonly text: string,
    /** Whether any root field has a value. */
    readonly hasValues: boolean,
  ) {}
}

/** The parts of an answer; data that is written already is used as it is. */
interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly unknown[];
  readonly extensions?: unknown;
}

/** Returns an answer as JSON. */
export function writeAnswer({ data, errors, extensions }: Answer): string {
  if (!(data instanceof WrittenData)) return JSON.stringify({ data, errors, extensions });
  const rest = JSON.stringify({ errors, extensions });
  return rest === '{}' ? `{"data":${data.text}}` : `{"data":${data.text},${rest.slice(1)}`;
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
    this.isReady &&= typeof text === 'string';
  }

  /** All texts; rejects with the first that rejects. */
  all(): readonly string[] | Promise<readonly string[]> {
    return this.isReady
      ? (this.texts as readonly string[])
      : Promise.all(this.texts as readonly Promise<string>[]);
  }

  /**
   * Rejects with an error once all texts are there, or with the first that rejects before that.
   * @throws the error, if all texts are there
   */
  rejectAfterAll(error: unknown): Promise<never> {
    if (this.isReady) throw error;
    return Promise.all(this.texts as readonly Promise<string>[]).then(() => {
      throw error;
    });
  }

  /** Keeps rejections from ending the process if nothing waits for the texts. */
  ignoreRejections(): void {
    void Promise.allSettled(this.texts as readonly Promise<string>[]);
  }
}

/**
 * Rejects a text of more characters than an answer may have bytes. Texts that are used several times
 * could otherwise grow beyond what a string can hold.
 * @throws NotWritable
 */
export function requireLength(text: string, maxBytes: number): string {
  if (text.length <= maxBytes) return text;
  throw new NotWritable('The answer is too large.', { cause: new JsonTooLarge(maxBytes) });
}

/**
 * Joins the texts of the entries of a list.
 * @throws NotWritable it has more than `maxBytes`
 */
export function joinList(items: readonly string[], maxBytes: number): string {
  let text = '[';
  for (const [index, item] of items.entries())
    text = requireLength(index === 0 ? text + item : `${text},${item}`, maxBytes);
  return `${text}]`;
}

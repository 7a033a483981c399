import type { Outcome, SentError, WrittenAnswer } from './error-format';
import { encodeText, TextBuilder, WrittenData } from '../plans/text';
import { writeJson } from './json-writer';

/** Writes outcomes as JSON, each small one once. */
export class AnswerWriter {
  private readonly written = new WeakMap<Outcome, WrittenAnswer>();
  private readonly shared = new WeakMap<Outcome, Promise<Buffer | null>>();
  private readonly unshareable = new WeakSet<Outcome>();

  constructor(
    private readonly maxBytes: number,
    private readonly formatErrors: (errors: readonly Error[], requestId: string) => SentError[],
  ) {}

  /**
   * Writes an outcome, or an error in its place if it cannot be written or is too large. Never
   * rejects.
   */
  async write(outcome: Outcome, requestId: string): Promise<WrittenAnswer> {
    const known = this.written.get(outcome);
    if (known) return known;
    try {
      const answer = { outcome, body: await this.encode(outcome) };
      if (typeof answer.body === 'string') this.written.set(outcome, answer);
      return answer;
    } catch (error) {
      const instead = { errors: this.formatErrors([error as Error], requestId) };
      return { outcome: instead, body: JSON.stringify(instead) };
    }
  }

  private encode(outcome: Outcome): Promise<string | readonly Buffer[]> {
    const { data, errors } = outcome;
    if (!(data instanceof WrittenData)) return writeJson(outcome, this.maxBytes);
    const builder = new TextBuilder('{"data":');
    builder.add(data.text);
    return encodeText(
      builder.end(errors ? `,"errors":${JSON.stringify(errors)}}` : '}'),
      this.maxBytes,
    );
  }

  /** From now on, `writeShared` returns null for this outcome. */
  preventSharing(outcome: Outcome): void {
    this.unshareable.add(outcome);
  }

  /**
   * Returns the text of a shared result, written and encoded once. Returns null if the result must
   * not be shared, cannot be written, or is written in pieces.
   */
  async writeShared(outcome: Outcome): Promise<Buffer | null> {
    if (this.unshareable.has(outcome)) return null;
    const text =
      this.shared.get(outcome) ??
      this.write(outcome, '').then(({ outcome: written, body }) =>
        written === outcome && typeof body === 'string' ? Buffer.from(body) : null,
      );
    this.shared.set(outcome, text);
    return text;
  }
}

import { ChangeError, isSame } from './changes';
import { sharedScalars } from './config-text';
import type { ConfigText, Value } from './config-text';
import type { Entry } from './entry';
import type { Plain } from './scalars';
import type { Splice } from './splice';

const isPlain = (value: Value): value is Plain => value === null || typeof value !== 'object';

/** Writes values of keys that exist. Collects the replacements. */
export class ValueWriter {
  readonly splices: Splice[] = [];

  constructor(private readonly text: ConfigText) {}

  /** Returns the value that the key has then: a text may keep the type of the former value. */
  set(entry: Entry, given: Value): Value {
    if (isSame(this.text.valueOf(entry), given)) return given;
    if (entry.kind === 'block' || entry.kind === 'flow-block')
      throw new ChangeError(
        entry.path,
        'it has keys below it, which are changed by their own paths',
      );
    if (Array.isArray(given)) return this.setList(entry, given as readonly Value[]);
    if (!isPlain(given))
      throw new ChangeError(
        entry.path,
        'its value must be a text, a number, true, false, null, or a list of these',
      );
    return this.setPlain(entry, given);
  }

  private replace(start: number, end: number, text: string): void {
    this.splices.push({ kind: 'text', start, end, text });
  }

  private setPlain(entry: Entry, given: Plain): Plain {
    const { token, kind, end, afterIndicator } = entry;
    const isInFlow = isInsideFlow(entry);
    const scalars = sharedScalars();
    if (kind === 'scalar' && token !== null) {
      const value = scalars.typed(given, token);
      if (isSame(this.text.valueOf(entry), value)) return value;
      const text = scalars.rewrite(value, token, { indent: entry.column, isInFlow });
      this.replace(token.offset, end, text.replaceAll('\n', this.text.lineEnd));
      return value;
    }
    if (kind === 'alias' && token !== null)
      this.replace(token.offset, end, scalars.write(given, isInFlow));
    else if (given !== null || kind !== 'empty')
      this.replace(afterIndicator, end, ` ${scalars.write(given, isInFlow)}`);
    return given;
  }

  private setList(entry: Entry, given: readonly Value[]): Value {
    const plain = given.map((value) => {
      if (!isPlain(value))
        throw new ChangeError(
          entry.path,
          'entries of a list must be texts, numbers, true, false or null',
        );
      return value;
    });
    if (entry.kind === 'list' && plain.length > 0) return this.setBlockList(entry, plain);
    if (entry.kind === 'flow-list' && plain.length > 0 && entry.children.length > 0)
      return this.setFlowList(entry, plain);
    const text = `[${plain.map((value) => sharedScalars().write(value, true)).join(', ')}]`;
    if (entry.kind === 'list' || entry.kind === 'empty')
      this.replace(entry.afterIndicator, entry.end, ` ${text}`);
    else this.replace(entry.token?.offset ?? entry.afterIndicator, entry.end, text);
    return plain;
  }

  private setCommon({ children }: Entry, given: readonly Plain[]): Value[] {
    return given.map((value, index) =>
      index < children.length ? this.set(children[index], value) : value,
    );
  }

  private setBlockList(entry: Entry, given: readonly Plain[]): Value {
    const { children } = entry;
    const { lines, source } = this.text;
    const removed = children.slice(given.length);
    if (!children.every(({ ownsLines }) => ownsLines))
      throw new ChangeError(entry.path, 'the list is written in a way that cannot be changed here');
    const values = this.setCommon(entry, given);
    if (removed.length > 0)
      this.replace(
        lines[removed[0].firstLine].start,
        lines[removed[removed.length - 1].lastLine].next,
        '',
      );
    const added = given.slice(children.length);
    const [first] = children;
    const gap = first.token === null ? ' ' : source.slice(first.afterIndicator, first.token.offset);
    const dash = `${' '.repeat(first.column)}-${/^ +$/.test(gap) ? gap : ' '}`;
    if (added.length > 0)
      this.splices.push({
        kind: 'lines',
        line: children[children.length - 1].lastLine + 1,
        texts: added.map((value) => dash + sharedScalars().write(value)),
      });
    return values;
  }

  private setFlowList(entry: Entry, given: readonly Plain[]): Value {
    const { children } = entry;
    const values = this.setCommon(entry, given);
    const last = children[children.length - 1];
    if (given.length < children.length) this.replace(children[given.length - 1].end, last.end, '');
    const added = given
      .slice(children.length)
      .map((value) => `, ${sharedScalars().write(value, true)}`);
    if (added.length > 0) this.replace(last.end, last.end, added.join(''));
    return values;
  }
}

function isInsideFlow({ parent }: Entry): boolean {
  for (let entry = parent; entry !== null; entry = entry.parent)
    if (entry.kind === 'flow-block' || entry.kind === 'flow-list') return true;
  return false;
}

import type { XmlPlace } from './xml-fault';

const LF = 10;
const CR = 13;

/** Says where in a text an offset is. Asked in ascending order, so that the text is looked through once. */
export class Places {
  private offset = 0;
  private line = 1;
  private lineStart = 0;

  constructor(private readonly text: string) {}

  /** @param offset not below one that was asked for before */
  at(offset: number): XmlPlace {
    const end = Math.min(offset, this.text.length);
    for (; this.offset < end; this.offset += 1) {
      const code = this.text.charCodeAt(this.offset);
      const isBreak = code === LF || (code === CR && this.text.charCodeAt(this.offset + 1) !== LF);
      if (!isBreak) continue;
      this.line += 1;
      this.lineStart = this.offset + 1;
    }
    return { line: this.line, column: Math.max(end - this.lineStart, 0) + 1 };
  }
}

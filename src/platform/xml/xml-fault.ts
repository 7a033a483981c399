/** Where something stands in a text; both count from 1. */
export interface XmlPlace {
  readonly line: number;
  readonly column: number;
}

/** An XML error with its position. The caller adds what the document is. */
export class XmlFault extends Error {
  readonly line: number;
  readonly column: number;

  /** @param reason a sentence for the user */
  constructor(
    readonly reason: string,
    { line, column }: XmlPlace,
  ) {
    super(`Line ${line}, column ${column}: ${reason}`);
    this.name = 'XmlFault';
    this.line = line;
    this.column = column;
  }
}

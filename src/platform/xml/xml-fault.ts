/** Where something stands in a text; both count from 1. */
export interface XmlPlace {
  readonly line: number;
  readonly column: number;
}

/** Why a text is no XML that is read here, and where. Whoever reads it says what the text was to be. */
export class XmlFault extends Error {
  readonly line: number;
  readonly column: number;

  /** @param reason a sentence for a person */
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

/** An expression is invalid. `column` counts from 1; null if the error has no position. */
export class RuleRefusal extends Error {
  constructor(
    message: string,
    readonly column: number | null = null,
  ) {
    super(message);
    this.name = 'RuleRefusal';
  }
}

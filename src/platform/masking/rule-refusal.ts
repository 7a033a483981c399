/** Why an expression is no rule. `column` counts characters from 1; null when it is about the whole. */
export class RuleRefusal extends Error {
  constructor(
    message: string,
    readonly column: number | null = null,
  ) {
    super(message);
    this.name = 'RuleRefusal';
  }
}

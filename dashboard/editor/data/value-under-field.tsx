/** Shows the value of a text with the samples of the steps before. */
export function ValueUnderField(_props: { text: string; isExpression: boolean }) {
  return null;
}

/** Maximum characters of a name in a message. */
const MAX_NAME = 100;

interface NamedStep {
  readonly label?: string | null;
  readonly name?: string | null;
  readonly index: string | null;
}

/** The name of a step as users know it; null if it has none. */
export const titleOf = ({ label, name }: Omit<NamedStep, 'index'>): string | null =>
  [label, name].find((text) => text != null && text.trim() !== '') ?? null;

/** The same as a field of an error, which is missing if there is none. */
export function nameField(step: Omit<NamedStep, 'index'>): { readonly name?: string } {
  const name = titleOf(step);
  return name === null ? {} : { name };
}

/** How messages name a method: `Step "AddCard" (1_0)`. */
export function describeStep(step: NamedStep): string {
  const title = titleOf(step);
  const place = step.index ?? 'without index';
  if (title === null) return `Step ${place}`;
  const isCut = title.length > MAX_NAME;
  const shown = isCut ? `${title.slice(0, MAX_NAME).toWellFormed()}…` : title;
  return `Step ${JSON.stringify(shown)} (${place})`;
}

/** How messages name an operator. Clients read index and type from it: spec 2.8. */
export const describeOperator = (index: string | null, type: string): string =>
  `Operator (index=${index}, type=${type})`;

/** A message that names its operator, as some do already. */
export const operatorMessage = (index: string | null, type: string, message: string): string =>
  message.startsWith('Operator (') ? message : `${describeOperator(index, type)}: ${message}`;

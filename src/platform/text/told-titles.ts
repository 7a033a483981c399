/** A refusal stays readable, however many use what is refused. */
const MOST_TOLD = 20;

/** Titles as a sentence tells them: `"A", "B" and 3 more`. */
export function toldTitles(titled: readonly { readonly title: string }[]): string {
  const told = titled
    .slice(0, MOST_TOLD)
    .map(({ title }) => JSON.stringify(title))
    .join(', ');
  return titled.length > MOST_TOLD ? `${told} and ${titled.length - MOST_TOLD} more` : told;
}

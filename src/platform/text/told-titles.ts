/** Maximum number of titles in a message. */
const MOST_TOLD = 20;

/** Formats titles for a message: `"A", "B" and 3 more`. */
export function toldTitles(titled: readonly { readonly title: string }[]): string {
  const told = titled
    .slice(0, MOST_TOLD)
    .map(({ title }) => JSON.stringify(title))
    .join(', ');
  return titled.length > MOST_TOLD ? `${told} and ${titled.length - MOST_TOLD} more` : told;
}

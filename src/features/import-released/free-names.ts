import { withSuffix } from '../../platform/text/characters';
import { fold } from '../../platform/text/fold';
import type { Place, Report } from './report';

/** Gives each record a name that no other one has, without regard to case. */
export class FreeNames {
  private readonly usedNames: Set<string>;

  /**
   * @param most maximum characters of a name
   * @param reservedNames names that no record gets
   */
  constructor(
    private readonly most: number,
    reservedNames: readonly string[] = [],
  ) {
    this.usedNames = new Set(reservedNames.map(fold));
  }

  /**
   * Returns the name, shortened and numbered if necessary, and reports a change.
   * @param fallback name of a record that has none
   */
  take(input: string | null | undefined, fallback: string, place: Place, report: Report): string {
    const written = (input ?? '').trim();
    const isMissing = fold(written) === '';
    const name = this.makeUnique(isMissing ? fallback : written);
    if (isMissing) report.assumed(place, `It has no name: it is called ${JSON.stringify(name)}.`);
    else if (name !== written)
      report.changed(place, `${written}: It is called ${JSON.stringify(name)} now.`);
    return name;
  }

  private makeUnique(base: string): string {
    for (let number = 1; ; number += 1) {
      const name = withSuffix(base, number === 1 ? '' : ` (${number})`, this.most);
      if (this.usedNames.has(fold(name))) continue;
      this.usedNames.add(fold(name));
      return name;
    }
  }
}

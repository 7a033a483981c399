import { withSuffix } from '../../platform/text/characters';
import { fold } from '../../platform/text/fold';
import type { Place, Report } from './report';

/** Gives each record a name that no other one has, without regard to case. */
export class FreeNames {
  private readonly taken: Set<string>;

  /**
   * @param most maximum characters of a name
   * @param taken names that no record gets
   */
  constructor(
    private readonly most: number,
    taken: readonly string[] = [],
  ) {
    this.taken = new Set(taken.map(fold));
  }

  /**
   * Returns the name, shortened and numbered if necessary, and reports a change.
   * @param fallback name of a record that has none
   */
  take(given: string | null | undefined, fallback: string, place: Place, report: Report): string {
    const written = (given ?? '').trim();
    const isMissing = fold(written) === '';
    const name = this.free(isMissing ? fallback : written);
    if (isMissing) report.assumed(place, `It has no name: it is called ${JSON.stringify(name)}.`);
    else if (name !== written)
      report.changed(place, `${written}: It is called ${JSON.stringify(name)} now.`);
    return name;
  }

  private free(wanted: string): string {
    for (let number = 1; ; number += 1) {
      const name = withSuffix(wanted, number === 1 ? '' : ` (${number})`, this.most);
      if (this.taken.has(fold(name))) continue;
      this.taken.add(fold(name));
      return name;
    }
  }
}

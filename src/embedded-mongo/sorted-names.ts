const MOST_IN_RUN = 512;

/** Distinct names in order, in short sorted runs, so that an insertion moves few names. */
export class SortedNames {
  private readonly runs: string[][] = [];

  /** `name` must not exist yet. */
  add(name: string): void {
    if (this.runs.length === 0) this.runs.push([]);
    const at = Math.max(0, this.runAfter(name) - 1);
    const run = this.runs[at];
    run.splice(firstFrom(run, name), 0, name);
    if (run.length > MOST_IN_RUN) this.runs.splice(at + 1, 0, run.splice(MOST_IN_RUN / 2));
  }

  /** The names from `start` (included) to `end` (excluded), or the same from the last to the first. */
  *between(start: string, end: string, reverse: boolean): Generator<string, undefined> {
    const step = reverse ? -1 : 1;
    const outside = reverse ? (name: string) => name < start : (name: string) => name >= end;
    for (
      let at = Math.max(0, this.runAfter(reverse ? end : start) - 1);
      at >= 0 && at < this.runs.length;
      at += step
    ) {
      const run = this.runs[at];
      for (
        let place = reverse ? firstFrom(run, end) - 1 : firstFrom(run, start);
        place >= 0 && place < run.length;
        place += step
      ) {
        if (outside(run[place])) return undefined;
        yield run[place];
      }
    }
    return undefined;
  }

  /** The number of runs that begin at or before `name`. */
  private runAfter(name: string): number {
    let low = 0;
    let high = this.runs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.runs[middle][0] <= name) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Index of the first name that is not before `name`. */
function firstFrom(run: readonly string[], name: string): number {
  let low = 0;
  let high = run.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (run[middle] < name) low = middle + 1;
    else high = middle;
  }
  return low;
}

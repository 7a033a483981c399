/** A line of the report: what was not taken over as it is. */
export interface ReportLine {
  /** Name of the file in the folder. */
  readonly file: string;
  /** Position in the array of the file, from 0; null for the whole file. */
  readonly index: number | null;
  /**
   * `assumed`: a missing or unclear value was replaced. `changed`: it was shortened, renamed or
   * renumbered. `left-out`: it does not come over.
   */
  readonly kind: 'assumed' | 'changed' | 'left-out';
  readonly message: string;
}

/** A record of the dump. */
export interface Place {
  readonly file: string;
  readonly index: number | null;
}

/** Records of one file. */
interface Count {
  imported: number;
  leftOut: number;
}

export interface ReleasedImportResult {
  readonly dryRun: boolean;
  /** By file; those of a folder together. */
  readonly counts: Readonly<Record<string, Readonly<Count>>>;
  readonly lines: readonly ReportLine[];
  /** What no dump contains. */
  readonly notImported: readonly string[];
}

const NOT_IMPORTED = [
  'executions and their statistics: the counters start at zero',
  'sessions: all users sign in again',
  'second factors: users set them up again',
  'subscriptions and licences: this service needs none',
  'positions of widgets and settings of the editor: users choose them again',
  'undo histories and old versions of workflows: the imported state is version 1',
];

/** Collects what an import does. It never contains values of credentials. */
export class Report {
  private readonly lines: ReportLine[] = [];
  private readonly counts: Record<string, Count> = {};

  /** @param onRecord called for each record that was imported or left out */
  constructor(private readonly onRecord: () => void = () => undefined) {}

  /** Returns a copy, for work that may be repeated. */
  copy(onRecord: () => void): Report {
    const copy = new Report(onRecord);
    copy.lines.push(...this.lines);
    for (const [file, count] of Object.entries(this.counts)) copy.counts[file] = { ...count };
    return copy;
  }

  assumed({ file, index }: Place, message: string): void {
    this.lines.push({ file, index, kind: 'assumed', message });
  }

  changed({ file, index }: Place, message: string): void {
    this.lines.push({ file, index, kind: 'changed', message });
  }

  /** A part of a record, or a file that is not read, does not come over. */
  partLeftOut({ file, index }: Place, message: string): void {
    this.lines.push({ file, index, kind: 'left-out', message });
  }

  leftOut(place: Place, message: string): void {
    this.partLeftOut(place, message);
    this.countOf(place.file).leftOut += 1;
    this.onRecord();
  }

  imported({ file }: Place): void {
    this.countOf(file).imported += 1;
    this.onRecord();
  }

  result(dryRun: boolean): ReleasedImportResult {
    return { dryRun, counts: this.counts, lines: this.lines, notImported: NOT_IMPORTED };
  }

  private countOf(file: string): Count {
    const [name = file] = file.split('/');
    return (this.counts[name] ??= { imported: 0, leftOut: 0 });
  }
}

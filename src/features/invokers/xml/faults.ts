import type { XmlPlace } from '../../../platform/xml/xml-fault';

export interface InvokerFault extends XmlPlace {
  readonly reason: string;
}

/** Maximum number of reported problems of one file. */
const MOST_FAULTS = 100;
const MAX_WARNINGS = 100;

export class InvokerFaults extends Error {
  /** @param faults in the order of the text */
  constructor(readonly faults: readonly InvokerFault[]) {
    super(faults.map(told).join('\n'));
    this.name = 'InvokerFaults';
  }
}

export const told = ({ line, column, reason }: InvokerFault): string =>
  `Line ${line}, column ${column}: ${reason}`;

/** Whether a text was sent now, or was stored after an earlier check. */
export type Origin = 'written' | 'stored';

/**
 * Collects problems, so that the author of a file gets all at once. A stored text stays readable
 * although rules were added later.
 */
export class FaultList {
  private readonly found: InvokerFault[] = [];
  private readonly assumed: InvokerFault[] = [];
  private moreAssumed = 0;

  constructor(private readonly origin: Origin) {}

  /** @throws InvokerFaults if there are too many */
  add({ line, column }: XmlPlace, reason: string): void {
    if (this.origin === 'stored') return;
    this.found.push({ line, column, reason });
    if (this.found.length >= MOST_FAULTS) this.refuse();
  }

  /** Adds a warning about an assumption or ignored content. `reason` must not contain values. */
  warn({ line, column }: XmlPlace, reason: string): void {
    if (this.assumed.length < MAX_WARNINGS) this.assumed.push({ line, column, reason });
    else this.moreAssumed += 1;
  }

  /** In the order of the text. */
  get warnings(): string[] {
    const texts = this.assumed.toSorted(byPlace).map(told);
    return this.moreAssumed > 0
      ? [...texts, `There are ${this.moreAssumed} more warnings.`]
      : texts;
  }

  /** @throws InvokerFaults if there are any */
  refuse(): void {
    if (this.found.length > 0) throw new InvokerFaults(this.found.toSorted(byPlace));
  }
}

const byPlace = (a: XmlPlace, b: XmlPlace): number => a.line - b.line || a.column - b.column;

import type { XmlPlace } from '../../../platform/xml/xml-fault';

export interface InvokerFault extends XmlPlace {
  readonly reason: string;
}

/** Maximum number of reported problems of one file. */
const MAX_FAULTS = 100;
const MAX_WARNINGS = 100;

export class InvokerFaults extends Error {
  /** @param faults in the order of the text */
  constructor(readonly faults: readonly InvokerFault[]) {
    super(faults.map(formatFault).join('\n'));
    this.name = 'InvokerFaults';
  }
}

export const formatFault = ({ line, column, reason }: InvokerFault): string =>
  `Line ${line}, column ${column}: ${reason}`;

/** Whether a text was sent now, or was stored after an earlier check. */
export type Origin = 'written' | 'stored';

/**
 * Collects problems, so that the author of a file gets all at once. A stored text stays readable
 * although rules were added later.
 */
export class FaultList {
  private readonly faults: InvokerFault[] = [];
  private readonly assumptions: InvokerFault[] = [];
  private omitted = 0;

  constructor(private readonly origin: Origin) {}

  /** @throws InvokerFaults if there are too many */
  add({ line, column }: XmlPlace, reason: string): void {
    if (this.origin === 'stored') return;
    this.faults.push({ line, column, reason });
    if (this.faults.length >= MAX_FAULTS) this.refuse();
  }

  /** Adds a warning about an assumption or ignored content. `reason` must not contain values. */
  warn({ line, column }: XmlPlace, reason: string): void {
    if (this.assumptions.length < MAX_WARNINGS) this.assumptions.push({ line, column, reason });
    else this.omitted += 1;
  }

  /** In the order of the text. */
  get warnings(): string[] {
    const texts = this.assumptions.toSorted(byPlace).map(formatFault);
    return this.omitted > 0 ? [...texts, `There are ${this.omitted} more warnings.`] : texts;
  }

  /** @throws InvokerFaults if there are any */
  refuse(): void {
    if (this.faults.length > 0) throw new InvokerFaults(this.faults.toSorted(byPlace));
  }
}

const byPlace = (a: XmlPlace, b: XmlPlace): number => a.line - b.line || a.column - b.column;

import type { XmlPlace } from '../../../platform/xml/xml-fault';

/** One thing that is wrong with the XML of an invoker. */
export interface InvokerFault extends XmlPlace {
  readonly reason: string;
}

/** So many are told of one file. */
const MOST_FAULTS = 100;
const MAX_WARNINGS = 100;

/** Everything that is wrong with the XML of an invoker. */
export class InvokerFaults extends Error {
  /** @param faults in the order of the text */
  constructor(readonly faults: readonly InvokerFault[]) {
    super(faults.map(told).join('\n'));
    this.name = 'InvokerFaults';
  }
}

/** For a person. */
export const told = ({ line, column, reason }: InvokerFault): string =>
  `Line ${line}, column ${column}: ${reason}`;

/** Where a text comes from: somebody brings it, or it was taken once. */
export type Origin = 'written' | 'stored';

/** Collects what is wrong, so that whoever wrote the file learns everything at once. Whatever rules came since, what is stored stays readable. */
export class FaultList {
  private readonly found: InvokerFault[] = [];
  private readonly assumed: InvokerFault[] = [];
  private moreAssumed = 0;

  constructor(private readonly origin: Origin) {}

  /** @throws InvokerFaults there are too many to go on */
  add({ line, column }: XmlPlace, reason: string): void {
    if (this.origin === 'stored') return;
    this.found.push({ line, column, reason });
    if (this.found.length >= MOST_FAULTS) this.refuse();
  }

  /** Notes what is assumed where the file does not say it, or what of it has no meaning here. The text holds no values. */
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

  /** @throws InvokerFaults something is wrong */
  refuse(): void {
    if (this.found.length > 0) throw new InvokerFaults(this.found.toSorted(byPlace));
  }
}

const byPlace = (a: XmlPlace, b: XmlPlace): number => a.line - b.line || a.column - b.column;

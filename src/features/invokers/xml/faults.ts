import type { XmlPlace } from '../../../platform/xml/xml-fault';

/** One thing that is wrong with the XML of an invoker. */
export interface InvokerFault extends XmlPlace {
  readonly reason: string;
}

/** So many are told of one file. */
const MOST_FAULTS = 100;

/** Everything that is wrong with the XML of an invoker. */
export class InvokerFaults extends Error {
  /** @param faults in the order of the text */
  constructor(readonly faults: readonly InvokerFault[]) {
    super(faults.map(told).join('\n'));
    this.name = 'InvokerFaults';
  }
}

/** For a person. */
export const told = ({ line, column, reason }: InvokerFault): string => `Line ${line}, column ${column}: ${reason}`;

/** Where a text comes from: somebody brings it, or it was taken once. */
export type Origin = 'written' | 'stored';

/** Collects what is wrong, so that whoever wrote the file learns everything at once. Whatever rules came since, what is stored stays readable. */
export class FaultList {
  private readonly found: InvokerFault[] = [];

  constructor(private readonly origin: Origin) {}

  /** @throws InvokerFaults there are too many to go on */
  add({ line, column }: XmlPlace, reason: string): void {
    if (this.origin === 'stored') return;
    this.found.push({ line, column, reason });
    if (this.found.length >= MOST_FAULTS) this.refuse();
  }

  /** @throws InvokerFaults something is wrong */
  refuse(): void {
    if (this.found.length > 0) throw new InvokerFaults([...this.found].sort((a, b) => a.line - b.line || a.column - b.column));
  }
}

/** UTF-8 bytes of a decoded text, with the source range of each byte; null if they are the same. */
export interface View {
  readonly bytes: Uint8Array;
  readonly from: Uint32Array | null;
  readonly to: Uint32Array | null;
}

export const startOf = (view: View, index: number): number => view.from?.[index] ?? index;
export const endOf = (view: View, index: number): number => view.to?.[index] ?? index + 1;

/** Builds a view from another view. */
export class ViewBuilder {
  private readonly bytes: Uint8Array;
  private readonly from: Uint32Array;
  private readonly to: Uint32Array;
  private length = 0;

  private readonly sourceFrom: Uint32Array | null;
  private readonly sourceTo: Uint32Array | null;

  constructor(source: View) {
    this.bytes = new Uint8Array(source.bytes.length);
    this.from = new Uint32Array(source.bytes.length);
    this.to = new Uint32Array(source.bytes.length);
    this.sourceFrom = source.from;
    this.sourceTo = source.to;
  }

  /** Appends a byte that represents bytes `first` to `last` of the source. */
  push(byte: number, first: number, last: number): void {
    this.bytes[this.length] = byte;
    this.from[this.length] = this.sourceFrom === null ? first : this.sourceFrom[first];
    this.to[this.length] = this.sourceTo === null ? last + 1 : this.sourceTo[last];
    this.length += 1;
  }

  done(): View {
    return { bytes: this.bytes.subarray(0, this.length), from: this.from, to: this.to };
  }
}

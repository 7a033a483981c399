/** Where a piece of a URL stands. */
export type Zone = 'start' | 'authority' | 'path' | 'elsewhere';

const AUTHORITY = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/;
/** What may become one with the pieces to come; no scheme is that long. */
const BEFORE_AUTHORITY = /^[A-Za-z][A-Za-z0-9+.-]{0,100}(?::\/?)?$/;

/** Where in a URL the next piece will land. Each piece is looked at once, however many there are. */
export class UrlPlace {
  zone: Zone = 'start';
  /** Null once it is known whether the URL begins with an authority. */
  private beginning: string | null = '';

  /** Goes on behind a piece. */
  pass(piece: string): void {
    if (piece === '') return;
    if (this.beginning !== null) this.begin(this.beginning + piece);
    else if (this.zone === 'authority' && /[/?#]/.test(piece)) this.zone = zoneBehind(piece);
    else if (this.zone === 'path') this.zone = zoneBehind(piece);
  }

  private begin(beginning: string): void {
    const authority = AUTHORITY.exec(beginning)?.[0];
    if (authority === undefined) this.zone = 'elsewhere';
    else this.zone = authority.length === beginning.length ? 'authority' : zoneBehind(beginning);
    this.beginning = authority === undefined && BEFORE_AUTHORITY.test(beginning) ? beginning : null;
  }
}

const zoneBehind = (piece: string): Zone => (/[?#]/.test(piece) ? 'elsewhere' : 'path');

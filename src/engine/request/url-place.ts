/** Part of a URL. */
export type Zone = 'start' | 'authority' | 'path' | 'elsewhere';

const AUTHORITY = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/;
/** A prefix that may continue with the authority; limited in length, as no scheme is that long. */
const BEFORE_AUTHORITY = /^[A-Za-z][A-Za-z0-9+.-]{0,100}(?::\/?)?$/;

/** Tracks in which part of a URL the next piece will be. Linear time. */
export class UrlPlace {
  zone: Zone = 'start';
  /** Start of the URL; null once it is known whether there is an authority. */
  private beginning: string | null = '';

  /** Continues after a piece. */
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

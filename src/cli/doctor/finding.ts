/** A result of the doctor. `odd` is a warning; `wrong` keeps the service from working. */
export interface Finding {
  readonly about: 'runtime' | 'configuration' | 'directory' | 'store' | 'port';
  readonly level: 'well' | 'odd' | 'wrong';
  readonly text: string;
}

/** Creates findings about one topic. */
export const findingsAbout = (about: Finding['about']) => ({
  well: (text: string): Finding => ({ about, level: 'well', text }),
  odd: (text: string): Finding => ({ about, level: 'odd', text }),
  wrong: (text: string): Finding => ({ about, level: 'wrong', text }),
});

/** Formats a size, such as `12.3 MiB`. */
export function inBytes(bytes: number): string {
  const unit = [
    ['GiB', 1024 ** 3],
    ['MiB', 1024 ** 2],
    ['KiB', 1024],
  ].find(([, size]) => bytes >= (size as number));
  return unit === undefined
    ? `${bytes} bytes`
    : `${(bytes / (unit[1] as number)).toFixed(1)} ${unit[0]}`;
}

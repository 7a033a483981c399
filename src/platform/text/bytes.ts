/** Formats a size, such as `12.3 MiB`. */
export function formatBytes(bytes: number): string {
  const unit = [
    ['GiB', 1024 ** 3],
    ['MiB', 1024 ** 2],
    ['KiB', 1024],
  ].find(([, size]) => bytes >= (size as number));
  return unit === undefined
    ? `${bytes} bytes`
    : `${(bytes / (unit[1] as number)).toFixed(1)} ${unit[0]}`;
}

/** The path of the page of an invoker: invokers are identified by their names. */
export const pathOf = (name: string): string => `invokers/${encodeURIComponent(name)}`;

/** The name in a path; one that is not encoded correctly names no invoker. */
export function decodeName(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

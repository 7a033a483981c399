import type { XmlElement } from './read-xml';

/** Returns the text of an element; trims it if there are child elements. */
export const ownText = ({ children, text }: Pick<XmlElement, 'children' | 'text'>): string =>
  children.length > 0 ? text.trim() : text;

/** Width and height in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

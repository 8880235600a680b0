/** Differences of a channel, 0 to 255, that count as the same colour, so that a fill reaches the soft edge of a line. */
const TOLERANCE = 60;

/**
 * Fills the area of one colour around a point of an image, in place.
 * @param image width, height, and data with four bytes per pixel, as ImageData has
 * @param color four bytes: red, green, blue and opacity
 */
export function flood({ data, width, height }, x, y, color) {
  const target = data.slice((y * width + x) * 4, (y * width + x) * 4 + 4);
  const visited = new Uint8Array(width * height);
  const matches = (at) => target.every((part, channel) => Math.abs(data[at * 4 + channel] - part) <= TOLERANCE);
  const open = [y * width + x];
  while (open.length > 0) {
    const at = open.pop();
    if (visited[at] || !matches(at)) continue;
    visited[at] = 1;
    data.set(color, at * 4);
    const column = at % width;
    if (column > 0) open.push(at - 1);
    if (column < width - 1) open.push(at + 1);
    if (at >= width) open.push(at - width);
    if (at < width * (height - 1)) open.push(at + width);
  }
}

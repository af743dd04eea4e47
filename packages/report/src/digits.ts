/**
 * The digits as strokes in boxes of 10 by 16, so that numbers look the same with any fonts, and can
 * be drawn where there are no fonts.
 */
const DIGITS = [
  "M5 1C2 1 1 4 1 8S2 15 5 15S9 12 9 8S8 1 5 1Z",
  "M2 4L5.8 1V15",
  "M1.2 4.8C1.4 2.4 3 1 5 1C7.4 1 9 2.6 9 4.9C9 6.6 8 8 6.6 9.6L1.3 15H9",
  "M1.4 1H8.6L4.8 6.4C7.4 6.2 9 8 9 10.5C9 13.2 7.3 15 4.9 15C2.9 15 1.4 13.9 1 12",
  "M6.9 15V1L0.8 11.2H9.5",
  "M8.4 1H2.2L1.6 7.4C2.5 6.6 3.7 6.2 5 6.2C7.4 6.2 9 8 9 10.5C9 13.2 7.3 15 4.9 15C2.9 15 1.4 14 1 12.2",
  "M7.6 1.2C4 2.2 1 6 1 10.3C1 13.2 2.6 15 5 15S9 13.2 9 10.6S7.4 6.2 5.1 6.2S1.2 8 1 10.3",
  "M1 1H9L3.8 15",
  "M5 7.4C2.9 7.4 1.6 6.1 1.6 4.2S2.9 1 5 1S8.4 2.3 8.4 4.2S7.1 7.4 5 7.4C2.6 7.4 1 9 1 11.2S2.6 15 5 15S9 13.4 9 11.2S7.4 7.4 5 7.4Z",
  "M2.4 14.8C6 13.8 9 10 9 5.7C9 2.8 7.4 1 5 1S1 2.8 1 5.4S2.6 9.8 4.9 9.8S8.8 8 9 5.7",
] as const;

/** Size of a digit's box, and the distance from one box to the next. */
const WIDTH = 10;
const HEIGHT = 16;
const PITCH = 13.4;

/**
 * Draws a number as SVG.
 *
 * @param x,y its centre
 * @param most its greatest width
 * @param height its greatest height
 */
export function drawNumber(
  number: number,
  { x, y, most, height }: Readonly<Record<"x" | "y" | "most" | "height", number>>,
): string {
  const digits = [...String(number)];
  const width = (digits.length - 1) * PITCH + WIDTH;
  const scale = Math.min(height / HEIGHT, most / width);
  const left = x - (width * scale) / 2;
  const top = y - (HEIGHT * scale) / 2;
  const paths = digits.map((digit, i) => {
    const place = i === 0 ? "" : ` transform="translate(${(i * PITCH).toFixed(1)} 0)"`;
    return `<path d="${DIGITS[Number(digit)]}"${place}/>`;
  });
  return `<g class="number" transform="translate(${left.toFixed(2)} ${top.toFixed(2)}) scale(${scale.toFixed(3)})">${paths.join("")}</g>`;
}

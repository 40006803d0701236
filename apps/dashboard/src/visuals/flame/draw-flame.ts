import { formatDuration } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { STEP_HUES, SURFACES, TONES } from '../../shell/theme/tones.ts';
import { THROWN_WORDS } from '../steps/step-outcome.ts';
import type { FlameBox } from './flame-layout.ts';
import type { Frame } from './flame-tree.ts';

/** The height of a row in pixels. */
export const ROW_PX = 22;

const TEXT_FROM_PX = 28;
const FONT = "12px 'Inter Variable', system-ui, sans-serif";
/** A name is cut to this number of characters per pixel of its box before it is drawn, because more characters do not fit. */
const CHARACTERS_PER_PX = 1 / 5;

interface FlamePicture {
  readonly boxes: readonly FlameBox[];
  /** The size of the visible part of the graph, in pixels; `top` is the height that is scrolled out of view above. */
  readonly width: number;
  readonly height: number;
  readonly top: number;
  readonly scheme: 'light' | 'dark';
  readonly current: Frame | undefined;
  readonly focus: Frame;
}

/** Draws the rows in view at the screen's resolution. */
export function drawFlame(pen: CanvasRenderingContext2D, picture: FlamePicture): void {
  const { boxes, width, height, top, scheme, current } = picture;
  const ratio = window.devicePixelRatio;
  pen.canvas.width = Math.round(width * ratio);
  pen.canvas.height = Math.round(height * ratio);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.font = FONT;
  pen.textBaseline = 'middle';
  for (const box of boxes) {
    const y = box.row * ROW_PX - top;
    if (y > height || y + ROW_PX < 0) continue;
    drawBox(pen, box, y, scheme, box.frame.depth < picture.focus.depth);
    if (box.frame !== current) continue;
    pen.strokeStyle = SURFACES[scheme].text;
    pen.lineWidth = 2;
    pen.strokeRect(box.x + 1, y + 1, Math.max(1, box.width - 3), ROW_PX - 3);
  }
}

function drawBox(
  pen: CanvasRenderingContext2D,
  { frame, x, width }: FlameBox,
  y: number,
  scheme: 'light' | 'dark',
  faded: boolean,
): void {
  const failed = frame.outcome === 'failed';
  const type = frame.nodes[0]?.step.stepType;
  const hue = type === undefined ? SURFACES[scheme].dim : STEP_HUES[scheme][type];
  const drawn = Math.max(0.5, width - 1);
  pen.fillStyle = SURFACES[scheme].card;
  pen.fillRect(x, y, drawn, ROW_PX - 1);
  pen.globalAlpha = faded ? 0.1 : 0.22;
  pen.fillStyle = failed ? TONES[scheme].red.fill : hue;
  pen.fillRect(x, y, drawn, ROW_PX - 1);
  pen.globalAlpha = 1;
  // The stripe at the lower edge of the box, in the full colour, shows the frame's self time; the rest of the width is the time of the
  // frame's children.
  const own = frame.weight === 0 ? 0 : Math.min(1, frame.selfMs / frame.weight) * drawn;
  if (!faded) pen.fillRect(x, y + ROW_PX - 4, own, 3);
  if (width < TEXT_FROM_PX) return;
  pen.save();
  pen.beginPath();
  pen.rect(x, y, drawn - 3, ROW_PX);
  pen.clip();
  pen.fillStyle = failed ? TONES[scheme].red.text : SURFACES[scheme].text;
  const mark = failed ? '! ' : '';
  const handled = frame.outcome === 'handled' ? `  ${THROWN_WORDS.handled}` : '';
  const times = frame.calls > 1 ? ` ×${frame.calls.toLocaleString('en-US')}` : '';
  const words = `${mark}${escapeControlCharacters(frame.name.slice(0, Math.ceil(width * CHARACTERS_PER_PX)))}${times}  ${formatDuration(frame.totalMs)}${handled}`;
  pen.fillText(words, x + 4, y + ROW_PX / 2 - 1);
  pen.restore();
}

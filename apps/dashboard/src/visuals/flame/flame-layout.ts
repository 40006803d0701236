import type { Frame } from './flame-tree.ts';

/** A frame's place in pixels. */
export interface FlameBox {
  readonly frame: Frame;
  readonly x: number;
  readonly width: number;
  /** Its row from the top, 0 first. */
  readonly row: number;
}

/** Narrower boxes are not drawn; their parents' width shows that something is there. Pixels. */
const NARROWEST_PX = 0.5;

/**
 * Where the frames lie when `focus` fills the width: those above it fill it, too, those below share it by their weight. What is too
 * narrow to be seen is left out, with all below it.
 */
export function layOutFlame(focus: Frame, widthPx: number): FlameBox[] {
  const above: FlameBox[] = [];
  for (let at = focus.parent; at !== undefined; at = at.parent) {
    above.unshift({ frame: at, x: 0, width: widthPx, row: at.depth });
  }
  const boxes: FlameBox[] = [{ frame: focus, x: 0, width: widthPx, row: focus.depth }];
  for (let index = 0; index < boxes.length; index += 1) {
    const box = boxes[index];
    if (box === undefined || box.frame.weight === 0) continue;
    let x = box.x;
    for (const child of box.frame.children) {
      const width = (child.weight / box.frame.weight) * box.width;
      if (width >= NARROWEST_PX) boxes.push({ frame: child, x, width, row: child.depth });
      x += width;
    }
  }
  return [...above, ...boxes];
}

/** The frame that an arrow key leads to: its parent, widest child, or neighbour of the same parent. Undefined where there is none. */
export function frameBeside(frame: Frame, key: string): Frame | undefined {
  switch (key) {
    case 'ArrowUp':
      return frame.parent;
    case 'ArrowDown':
      return widest(frame.children);
    case 'ArrowLeft':
    case 'ArrowRight': {
      const siblings = frame.parent?.children ?? [];
      return siblings[siblings.indexOf(frame) + (key === 'ArrowLeft' ? -1 : 1)];
    }
    default:
      return undefined;
  }
}

function widest(frames: readonly Frame[]): Frame | undefined {
  let found = frames[0];
  for (const frame of frames) if (frame.weight > (found?.weight ?? 0)) found = frame;
  return found;
}

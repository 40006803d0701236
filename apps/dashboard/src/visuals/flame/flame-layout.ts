import type { Frame } from './flame-tree.ts';

/** A frame's position in pixels. */
export interface FlameBox {
  readonly frame: Frame;
  readonly x: number;
  readonly width: number;
  /** The frame's row; the top row is 0. */
  readonly row: number;
}

/** Boxes narrower than this are not drawn. The box of their caller shows that calls are there. Pixels. */
const NARROWEST_PX = 0.5;

/**
 * Returns the positions of the frames when `focus` fills the width. The ancestors of `focus` fill the width, too; the descendants of
 * `focus` share the width by their weight. Frames that are too narrow to see are left out with their descendants.
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

/** Returns the frame that an arrow key selects: the parent, the widest child, or a sibling. Undefined if there is no such frame. */
export function findFrameBeside(frame: Frame, key: string): Frame | undefined {
  switch (key) {
    case 'ArrowUp':
      return frame.parent;
    case 'ArrowDown':
      return findWidest(frame.children);
    case 'ArrowLeft':
    case 'ArrowRight': {
      const siblings = frame.parent?.children ?? [];
      return siblings[siblings.indexOf(frame) + (key === 'ArrowLeft' ? -1 : 1)];
    }
    default:
      return undefined;
  }
}

function findWidest(frames: readonly Frame[]): Frame | undefined {
  let found = frames[0];
  for (const frame of frames) if (frame.weight > (found?.weight ?? 0)) found = frame;
  return found;
}

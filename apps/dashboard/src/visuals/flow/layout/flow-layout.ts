import type { FlowBlock } from '../flow-types.ts';

/** Sizes on the canvas, in pixels at zoom 1. */
export const CARD = { width: 248, height: 56 } as const;
const BRACE_HEIGHT = 22;
const INDENT = 28;
const ROW_GAP = 26;
const COLUMN_GAP = 36;

export interface FlowBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The position of each card and brace, by id. */
export type FlowLayout = ReadonlyMap<string, FlowBox>;

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Lays out blocks from top to bottom: a following step is placed below, a called step a little to the right, and branches side by side
 * between their braces. Takes linear time, since the nesting is known and no search is needed.
 */
export function layOutFlow(root: FlowBlock): FlowLayout {
  const sizes = new Map<FlowBlock, Size>();
  const boxes = new Map<string, FlowBox>();
  measure(root, sizes);
  place(root, 0, 0, sizes, boxes);
  return boxes;
}

function measure(block: FlowBlock, sizes: Map<FlowBlock, Size>): Size {
  const size = measureNew(block, sizes);
  sizes.set(block, size);
  return size;
}

function measureNew(block: FlowBlock, sizes: Map<FlowBlock, Size>): Size {
  switch (block.kind) {
    case 'card':
      return { width: block.indent * INDENT + CARD.width, height: CARD.height };
    case 'series': {
      const parts = block.blocks.map((part) => measure(part, sizes));
      return {
        width: findLargest(parts.map((part) => part.width)),
        height: sumHeights(parts.map((part) => part.height)),
      };
    }
    case 'parallel': {
      const branches = block.branches.map((branch) => measure(branch, sizes));
      const between = COLUMN_GAP * Math.max(0, branches.length - 1);
      const braces = BRACE_HEIGHT + ROW_GAP;
      return {
        width: block.indent * INDENT + branches.reduce((sum, branch) => sum + branch.width, between),
        height:
          findLargest(branches.map((branch) => branch.height)) + braces * (block.join === undefined ? 1 : 2),
      };
    }
  }
}

function place(
  block: FlowBlock,
  x: number,
  y: number,
  sizes: ReadonlyMap<FlowBlock, Size>,
  boxes: Map<string, FlowBox>,
): void {
  const { width, height } = sizes.get(block) ?? { width: 0, height: 0 };
  switch (block.kind) {
    case 'card':
      boxes.set(block.id, { x: x + block.indent * INDENT, y, ...CARD });
      return;
    case 'series': {
      let top = y;
      for (const part of block.blocks) {
        place(part, x, top, sizes, boxes);
        top += (sizes.get(part)?.height ?? 0) + ROW_GAP;
      }
      return;
    }
    case 'parallel': {
      const left = x + block.indent * INDENT;
      const brace = { x: left, width: width - block.indent * INDENT, height: BRACE_HEIGHT };
      boxes.set(block.fork, { ...brace, y });
      if (block.join !== undefined) boxes.set(block.join, { ...brace, y: y + height - BRACE_HEIGHT });
      let column = left;
      for (const branch of block.branches) {
        place(branch, column, y + BRACE_HEIGHT + ROW_GAP, sizes, boxes);
        column += (sizes.get(branch)?.width ?? 0) + COLUMN_GAP;
      }
    }
  }
}

function findLargest(lengths: readonly number[]): number {
  return lengths.reduce((most, length) => Math.max(most, length), 0);
}

function sumHeights(heights: readonly number[]): number {
  return heights.reduce((sum, height) => sum + height, 0) + ROW_GAP * Math.max(0, heights.length - 1);
}

import { framesOf, type Frame, type Target } from './observatory.ts';

type Condition = (frame: Frame) => boolean;

export class FrameQuery {
  readonly #target: Target;
  readonly #conditions: Condition[] = [];

  constructor(target: Target) {
    this.#target = target;
  }

  inBands(bands: readonly string[]): this {
    this.#conditions.push(({ band }) => bands.includes(band));
    return this;
  }

  withSeeingUpTo(maxSeeing: number): this {
    this.#conditions.push(({ seeing }) => seeing <= maxSeeing);
    return this;
  }

  async newest(limit: number): Promise<Frame[]> {
    const frames = await framesOf(this.#target);
    return frames
      .filter((frame) => this.#conditions.every((condition) => condition(frame)))
      .toSorted((one, other) => other.night.localeCompare(one.night))
      .slice(0, limit);
  }
}

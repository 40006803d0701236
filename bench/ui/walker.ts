import type { Locator, Page } from '@playwright/test';

/**
 * Times of hands, after Card, Moran and Newell's keystroke-level model: to point and click, and to press a key. Thinking and reading are
 * left out for every product. Seconds.
 */
const POINT_AND_CLICK = 1.3;
const KEY = 0.28;

/** The result of one walk. Seconds. */
export interface Arrived {
  readonly clicks: number;
  readonly keys: number;
  /** Until all was shown, for a program, which neither reads nor hesitates. */
  readonly screens: number;
  /** The time of hands, added to the measured time. */
  readonly hands: number;
}

/** Somebody on the way through a page: what they do is counted as they do it. */
export class Walker {
  readonly page: Page;
  clicks = 0;
  keys = 0;
  #began: number | undefined;

  constructor(page: Page) {
    this.page = page;
  }

  async click(what: Locator): Promise<void> {
    this.#begin();
    this.clicks += 1;
    await what.click();
  }

  /** One of a native list of choices: opened by a click, chosen by another. */
  async choose(list: Locator, value: string): Promise<void> {
    this.#begin();
    this.clicks += 2;
    await list.selectOption(value);
  }

  async press(key: string): Promise<void> {
    this.#begin();
    this.keys += 1;
    await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    this.#begin();
    this.keys += text.length;
    await this.page.keyboard.type(text);
  }

  /** Once what was looked for is seen. */
  arrived(): Arrived {
    if (this.#began === undefined) throw new Error('nothing was done');
    return {
      clicks: this.clicks,
      keys: this.keys,
      screens: (performance.now() - this.#began) / 1000,
      hands: this.clicks * POINT_AND_CLICK + this.keys * KEY,
    };
  }

  #begin(): void {
    this.#began ??= performance.now();
  }
}

import type { Locator, Page } from '@playwright/test';

/**
 * Seconds that a hand needs to point and click, and to press a key, from Card, Moran and Newell's keystroke-level model. Times for thinking
 * and reading are left out for every product.
 */
const POINT_AND_CLICK = 1.3;
const KEY = 0.28;

/** Result of one walk; times are in seconds. */
export interface Arrived {
  readonly clicks: number;
  readonly keys: number;
  /** Time until everything was shown, for a simulated user who neither reads nor hesitates. */
  readonly screens: number;
  /** Time of hand movements, which is added to the measured time. */
  readonly hands: number;
}

/** A simulated user of a page. Counts the user's clicks and keys. */
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

  /** Selects an option of a native select element with two clicks: one opens the list, the other selects. */
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

  /** Returns the result of the walk. Called when the value that the user looks for is visible. */
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

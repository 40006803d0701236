/// <reference lib="dom" />
import { expect, type Locator, type Page } from '@playwright/test';

/**
 * Seconds that a hand needs to point, to point and click, and to press a key, from Card, Moran and Newell's keystroke-level model. Times
 * for thinking and reading are left out for every product.
 */
const POINT = 1.1;
const POINT_AND_CLICK = 1.3;
const KEY = 0.28;
/** Distance in pixels that counts as one turn of the mouse wheel. */
const SCROLL_PX = 600;
const MAX_SCROLLS = 10;
const SEEN_WITHIN_MS = 30_000;

/** Result of one walk; times are in seconds. */
export interface Arrived {
  readonly clicks: number;
  readonly keys: number;
  /** Number of times that the user scrolled. */
  readonly scrolls: number;
  /** Time until everything was shown, for a simulated user who neither reads nor hesitates. */
  readonly screens: number;
  /** Time of hand movements, which is added to the measured time. */
  readonly hands: number;
}

/** A simulated user of a page. Counts the user's clicks, keys and scrolling. */
export class Walker {
  readonly page: Page;
  clicks = 0;
  /** Number of times that the user rested the pointer on something without clicking. */
  rests = 0;
  keys = 0;
  scrolls = 0;
  #began: number | undefined;

  constructor(page: Page) {
    this.page = page;
  }

  async click(what: Locator): Promise<void> {
    this.#begin();
    this.clicks += 1;
    await what.click();
  }

  /** Moves the pointer to the element, and leaves it there. */
  async point(what: Locator): Promise<void> {
    this.#begin();
    this.rests += 1;
    await what.hover();
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

  /** Waits until all of the element is in the part of the page that the window shows. */
  async see(what: Locator): Promise<void> {
    await expect(what).toBeInViewport({ ratio: 1, timeout: SEEN_WITHIN_MS });
  }

  /** Scrolls down until all of the element is in the window. The element must exist when this is called, or appear soon. */
  async scrollTo(what: Locator): Promise<void> {
    this.#begin();
    await what.waitFor({ timeout: SEEN_WITHIN_MS });
    while (this.scrolls < MAX_SCROLLS && !(await isInWindow(what))) {
      this.scrolls += 1;
      await this.page.mouse.wheel(0, SCROLL_PX);
      // The page scrolls in the frame after the wheel's event.
      await this.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    }
    await this.see(what);
  }

  /** Returns the result of the walk. Called when the value that the user looks for is visible. */
  arrived(): Arrived {
    const began = this.#begin();
    return {
      clicks: this.clicks,
      keys: this.keys,
      scrolls: this.scrolls,
      screens: (performance.now() - began) / 1000,
      hands: this.rests * POINT + this.clicks * POINT_AND_CLICK + this.keys * KEY,
    };
  }

  /** Notes the time of the first action, and returns it. */
  #begin(): number {
    this.#began ??= performance.now();
    return this.#began;
  }
}

/** True if the element is between the top and the bottom of the window. */
async function isInWindow(what: Locator): Promise<boolean> {
  return what.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
}

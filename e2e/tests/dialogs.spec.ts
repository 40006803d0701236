import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { findForcedColourFaults } from '../harness/browser/forced-colours.ts';
import { findLayoutFaults, TESTED_WINDOWS } from '../harness/browser/layout.ts';
import { DIALOGS } from '../harness/pages/dialogs.ts';
import { OTHER_DIALOGS } from '../harness/pages/other-dialogs.ts';
import { signUpForDialogs } from '../harness/people/dialog-people.ts';
import { root } from '../harness/server/places.ts';
import { test } from '../harness/server/worker-server.ts';

/** Reports all faults of a test, not only the first. */
const soft = expect.configure({ soft: true });

/**
 * Finds faults of a dialog or menu: it is not open, it extends beyond the left or right edge of the window, or one of its controls cannot
 * be scrolled into view.
 */
async function findDialogFaults(page: Page, role: string): Promise<readonly string[]> {
  return page.evaluate((role) => {
    const faults: string[] = [];
    const tabLists = [...document.querySelectorAll('[role="tablist"]')].map((list) => ({
      list,
      left: list.scrollLeft,
    }));
    const open = [...document.querySelectorAll(`[role="${role}"]`)].filter((each) => each.checkVisibility());
    for (const dialog of open) {
      const box = dialog.getBoundingClientRect();
      if (box.left < -1 || box.right > window.innerWidth + 1)
        faults.push(
          `it is from ${Math.round(box.left)} to ${Math.round(box.right)} px of ${window.innerWidth}`,
        );
      for (const control of dialog.querySelectorAll(
        'button, input, select, textarea, a[href], [role="menuitem"]',
      )) {
        if (
          !control.checkVisibility({ visibilityProperty: true }) ||
          control.closest('.visually-hidden, [role="tree"]') !== null
        )
          continue;
        control.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        const place = control.getBoundingClientRect();
        const name = control.getAttribute('aria-label') ?? control.textContent ?? '';
        if (place.width === 0 || place.height === 0) continue;
        if (place.bottom > window.innerHeight + 1 || place.top < -1 || place.right > window.innerWidth + 1)
          faults.push(`out of reach: ${control.tagName.toLowerCase()} "${name.trim().slice(0, 40)}"`);
      }
    }
    // Scrolls the open tab into view again.
    for (const { list, left } of tabLists) list.scrollLeft = left;
    if (open.length === 0) faults.push('it is not open');
    return faults;
  }, role);
}

for (const owner of ['solo', 'owner'] as const) {
  test(`every dialog of ${owner === 'solo' ? 'a solo user' : 'an organization'} fits windows of every width with its controls in reach, and is complete in forced colours @long`, async ({
    page,
    ada,
    grace,
    organizationName,
  }) => {
    test.setTimeout(300_000);
    const people = await signUpForDialogs(page, owner, { ada, grace, organizationName });
    for (const row of DIALOGS.filter((each) => each.owner === owner)) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await row.open(page, people);
      const role = row.role ?? 'dialog';
      await expect(page.getByRole(role).first(), row.name).toBeVisible();
      await expect(page.getByRole(role).locator('[aria-busy="true"]'), row.name).toHaveCount(0);
      soft(await findForcedColourFaults(page), row.name).toEqual([]);
      for (const size of TESTED_WINDOWS) {
        await page.setViewportSize(size);
        // A menu closes when its button is scrolled out of view, so it is opened again.
        if (role === 'menu') await row.open(page, people);
        await soft
          .poll(async () => [...(await findDialogFaults(page, role)), ...(await findLayoutFaults(page))], {
            message: `${row.name} at ${size.width} px`,
            timeout: 5000,
          })
          .toEqual([]);
      }
      await page.unrouteAll();
    }
  });
}

test('every file that renders a dialog, menu or popover is covered by these tests', () => {
  const source = join(root, 'apps/dashboard/src');
  const drawing = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .filter((file) =>
      /<(Modal|Modal\.Root|Drawer|Menu|Popover)\b[^.]/.test(readFileSync(join(source, file), 'utf8')),
    )
    .map((file) => file.replaceAll('\\', '/'));
  expect(drawing.length).toBeGreaterThan(20);
  const known = [...DIALOGS.map(({ file }) => file), ...Object.keys(OTHER_DIALOGS)];
  expect([...new Set(known)].sort()).toEqual(drawing.sort());
});

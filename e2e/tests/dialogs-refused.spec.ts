import { expect, type Locator } from '@playwright/test';
import { listConfirmed } from '../harness/pages/dialogs.ts';
import { signUpForDialogs } from '../harness/people/dialog-people.ts';
import { test } from '../harness/server/worker-server.ts';

const MESSAGE = 'Refused by the test.';
const REMEDY = 'Do as the test says.';
/** Dialogs that close when the server rejects the request. The specification requires this of the dialog that deletes an account. */
const CLOSED_BY_REFUSAL: readonly string[] = ['the deletion of the account'];

/** Reads the values of all inputs and text areas in a dialog. */
const readFields = (dialog: Locator) =>
  dialog
    .locator('input, textarea')
    .evaluateAll((fields) =>
      fields.map((field) =>
        field instanceof HTMLInputElement && ['radio', 'checkbox'].includes(field.type)
          ? String(field.checked)
          : (field as HTMLInputElement).value,
      ),
    );

for (const owner of ['solo', 'owner'] as const) {
  test(`if the server rejects a dialog of ${owner === 'solo' ? 'a solo user' : 'an organization'}, the dialog stays open, keeps its input, and says what failed, why, and what to do @long`, async ({
    page,
    ada,
    grace,
    organizationName,
  }) => {
    test.setTimeout(300_000);
    const people = await signUpForDialogs(page, owner, { ada, grace, organizationName });
    for (const row of listConfirmed(owner)) {
      await row.open(page, people);
      await row.confirm.fill?.(page);
      const dialog = page.getByRole('dialog').last();
      const before = await readFields(dialog);
      await page.route('**/api/**', (route) => {
        if (route.request().method() === 'GET') return route.fallback();
        const error = { code: 'conflict', message: MESSAGE, remedy: REMEDY };
        return route.fulfill({ status: 409, json: { error, message: MESSAGE } });
      });
      await dialog.getByRole('button', { name: row.confirm.button, exact: true }).last().click();
      const place = CLOSED_BY_REFUSAL.includes(row.name) ? page : dialog;
      await expect(
        place.getByText(`${row.confirm.failure} ${MESSAGE}`.trim()).first(),
        row.name,
      ).toBeVisible();
      await expect(place.getByText(REMEDY).first(), row.name).toBeVisible();
      if (!CLOSED_BY_REFUSAL.includes(row.name)) {
        await expect(dialog, row.name).toBeVisible();
        expect(await readFields(dialog), row.name).toEqual(before);
      }
      await page.unroute('**/api/**');
    }
  });
}

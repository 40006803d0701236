import { expect, type Locator, type Page } from '@playwright/test';
import { upgrade } from '../harness/pages/billing-page.ts';
import { addProject, signUp } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { plainRequest, sendTraces } from '../harness/traces/traces.ts';

/**
 * Pages that keep the state of their controls in the URL. `controls`: names of controls that must exist. The test also tries all other
 * controls.
 */
const PAGES = [
  { path: '/dashboard', controls: ['Project', 'Status', 'Method', 'Group by'] },
  { path: '/raw-traces', controls: ['Project', 'Status', 'Method', 'Group by'] },
  { path: '/analytics', controls: ['Project', 'Environment', 'Service', 'Release'] },
  { path: '/errors', controls: ['Project', 'State', 'Assigned to me'] },
] as const;

/** A select, a group of radio buttons, or a checkbox. */
interface Control {
  readonly name: string;
  /** Returns the options to try. */
  readonly options: () => Promise<readonly string[]>;
  readonly choose: (option: string) => Promise<void>;
  readonly expectChosen: (option: string) => Promise<void>;
}

const readName = (control: Locator) =>
  control.evaluate(
    (element) =>
      element.getAttribute('aria-label') ??
      (element as HTMLInputElement).labels?.item(0)?.textContent?.trim() ??
      '',
  );

function buildSelect(page: Page, name: string): Control {
  const select = page.getByRole('main').getByRole('combobox', { name, exact: true });
  return {
    name,
    options: () =>
      select.locator('option').evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value)),
    choose: async (option) => void (await select.selectOption(option)),
    expectChosen: (option) => expect(select, `${name} ${option}`).toHaveValue(option),
  };
}

function buildRadios(page: Page, name: string): Control {
  const group = page.getByRole('main').getByRole('radiogroup', { name, exact: true });
  const radio = (option: string) => group.getByRole('radio', { name: option, exact: true });
  return {
    name,
    options: async () => Promise.all((await group.getByRole('radio').all()).map(readName)),
    choose: (option) => group.getByText(option, { exact: true }).click(),
    expectChosen: (option) => expect(radio(option), `${name} ${option}`).toBeChecked(),
  };
}

function buildCheckbox(page: Page, name: string): Control {
  const box = page.getByRole('main').getByLabel(name, { exact: true });
  return {
    name,
    options: async () => ['on', 'off'],
    choose: (option) => box.setChecked(option === 'on'),
    expectChosen: (option) => expect(box, name).toBeChecked({ checked: option === 'on' }),
  };
}

/**
 * Finds the controls that the page shows now: selects, radio groups, and checkboxes in searches and sections. Skips checkboxes that select
 * rows. Skips selects with a custom menu, which have no `option` elements to try.
 */
async function findControls(page: Page): Promise<readonly Control[]> {
  const main = page.getByRole('main');
  const selects = await Promise.all((await main.locator('select').all()).map(readName));
  const groups = await Promise.all((await main.getByRole('radiogroup').all()).map(readName));
  const boxes = await Promise.all(
    (await main.locator('search, section').locator('input[type="checkbox"]').all()).map(readName),
  );
  return [
    ...selects.map((name) => buildSelect(page, name)),
    ...groups.map((name) => buildRadios(page, name)),
    ...boxes.filter((name) => !/^select/i.test(name)).map((name) => buildCheckbox(page, name)),
  ];
}

async function load(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0);
}

for (const { path, controls } of PAGES)
  test(`every option of every control of ${path} is kept over a reload @long`, async ({ page, ada }) => {
    test.setTimeout(240_000);
    await signUp(page, ada);
    await page.goto('/billing');
    await upgrade(page, 'Starter');
    await addProject(page, 'orders');
    const service = { name: 'orders', environment: 'production', release: '1.2' };
    await sendTraces(page, [plainRequest('/seen', new Date())], service);
    await addProject(page, 'other');
    await load(page, path);
    const project = page.getByRole('combobox', { name: 'Project', exact: true });
    await expect(project).toBeEnabled();
    const tried = new Set<string>();
    const nextControl = async () => (await findControls(page)).find(({ name }) => !tried.has(name));
    // Choosing an option can show further controls, such as the order of groups.
    for (let control = await nextControl(); control !== undefined; control = await nextControl()) {
      const { name, options, choose, expectChosen } = control;
      tried.add(name);
      // Some selects load their options after the page has loaded.
      if (new Set<string>(controls).has(name)) {
        await expect.poll(async () => (await options()).length, { message: name }).toBeGreaterThan(1);
      }
      for (const option of await options()) {
        await choose(option);
        await expectChosen(option);
        await load(page, page.url());
        await expectChosen(option);
      }
      // Selects the project with requests again. The other project has none, so selects such as Service would have no options.
      if (name === 'Project') await project.selectOption({ label: 'orders' });
    }
    expect([...tried]).toEqual(expect.arrayContaining([...controls]));
  });

import { setTimeout as sleep } from 'node:timers/promises';

const week = (...hours) => ['mon', 'tue', 'wed', 'thu', 'fri'].map((day, at) => ({ day, project: at % 2 ? 'P-HARBOUR' : 'P-TUNNEL', hours: hours[at] }));

const sheets = new Map([
  ['ts-880', { id: 'ts-880', owner: 'ortega', week: '2025-W21', state: 'submitted', entries: week(8, 8, 7.5, 8, 6) }],
  ['ts-881', { id: 'ts-881', owner: 'lind', week: '2025-W21', state: 'submitted', entries: week(8, 8, 8, 8, 8) }],
  ['ts-882', { id: 'ts-882', owner: 'achebe', week: '2025-W21', state: 'submitted', entries: week(6, 6, 6, 6, 6) }],
  ['ts-883', { id: 'ts-883', owner: 'kovacs', week: '2025-W21', state: 'submitted', entries: week(8, 9, 8, 7, 8) }],
  ['ts-884', { id: 'ts-884', owner: 'ortega', week: '2025-W22', state: 'draft', entries: week(8, 8, 8, 4, 8) }],
  ['ts-885', { id: 'ts-885', owner: 'achebe', week: '2025-W22', state: 'draft', entries: week(7, 7, 7, 7, 2) }],
]);

/** Stands for the database of the payroll department, which is slow. */
export class SheetStore {
  async load(id) {
    await sleep(90);
    const sheet = sheets.get(id);
    if (!sheet) throw Object.assign(new Error(`no timesheet ${id}`), { statusCode: 404 });
    return sheet;
  }

  async save(sheet) {
    await sleep(4);
    sheets.set(sheet.id, sheet);
    return sheet;
  }
}

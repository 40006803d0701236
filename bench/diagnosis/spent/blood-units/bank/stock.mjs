import { setTimeout as wait } from 'node:timers/promises';

const unit = (din, type, expires) => ({ din, type, expires });

export class Stock {
  #sites = new Map([
    [
      'north',
      [
        unit('N-8811', 'O+', '2031-02-11'),
        unit('N-8815', 'O+', '2031-02-03'),
        unit('N-8816', 'O+', '2031-02-20'),
      ],
    ],
    [
      'harbour',
      [
        unit('H-2040', 'A+', '2031-02-07'),
        unit('H-2044', 'A+', '2031-02-15'),
        unit('H-2047', 'A+', '2031-02-09'),
      ],
    ],
    ['hill', [unit('C-5102', 'B-', '2031-03-01'), unit('C-5109', 'B-', '2031-02-26')]],
    ['airfield', [unit('F-0071', 'O-', '2031-02-18'), unit('F-0074', 'O-', '2031-02-12')]],
  ]);

  async at(site) {
    await wait(3);
    const units = this.#sites.get(site);
    if (!units) throw Object.assign(new Error(`no blood bank at ${site}`), { status: 404 });
    return [...units];
  }

  async remove(site, dins) {
    await wait(2);
    this.#sites.set(
      site,
      this.#sites.get(site).filter(({ din }) => !dins.includes(din)),
    );
  }
}

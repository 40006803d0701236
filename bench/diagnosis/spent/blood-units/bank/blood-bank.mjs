import { randomUUID } from 'node:crypto';
import { isCompatible, isExact } from './compatibility.mjs';

export class BloodBank {
  constructor(stock) {
    this.stock = stock;
  }

  async issue(site, { patient, ward, units }) {
    const stocked = this.fresh(await this.stock.at(site), new Date());
    const suitable = this.suitable(stocked, patient);
    const chosen = this.choose(suitable, patient, units);
    await this.stock.remove(
      site,
      chosen.map(({ din }) => din),
    );
    return {
      issue: randomUUID(),
      ward,
      patient: patient.id,
      units: chosen.map((unit) => this.label(unit, patient)),
    };
  }

  fresh(units, now) {
    return units.filter(({ expires }) => new Date(expires) > now);
  }

  suitable(units, patient) {
    return units.filter((unit) => isCompatible(unit.type, patient.type));
  }

  choose(units, patient, count) {
    if (units.length < count) {
      throw Object.assign(
        new Error(`only ${units.length} of ${count} units for ${patient.type} are in stock`),
        { status: 409 },
      );
    }
    const score = (unit) => (isExact(unit.type, patient.type) ? 0 : 1);
    return units.sort((a, b) => score(a) - score(b) || a.expires.localeCompare(b.expires)).slice(0, count);
  }

  label({ din, type, expires }, patient) {
    return { din, type, expires, for: `${patient.id} (${patient.type})` };
  }
}

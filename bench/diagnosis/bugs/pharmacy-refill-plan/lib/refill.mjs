import { findPrescription } from './prescriptions.mjs';

const DAY = 24 * 60 * 60 * 1000;

export function packsNeeded(prescription, days, onHand) {
  const tablets = prescription.perDay * days - onHand;
  return Math.ceil(tablets / prescription.packSize);
}

function addDays(date, days) {
  return new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10);
}

export function schedulePacks(prescription, packs, start, onHand) {
  const daysPerPack = prescription.packSize / prescription.perDay;
  const firstDay = Math.floor(onHand / prescription.perDay);
  return new Array(packs).fill(prescription.drug).map((drug, index) => ({
    drug,
    pickUp: addDays(start, Math.floor(firstDay + index * daysPerPack)),
  }));
}

export async function planRefill({ prescriptionId, days, onHand, start }) {
  const prescription = await findPrescription(prescriptionId);
  if (!prescription) return null;
  const packs = packsNeeded(prescription, days, onHand);
  const pickUps = schedulePacks(prescription, packs, start, onHand);
  const cost = Math.round(packs * prescription.price * 100) / 100;
  return { prescription: prescription.id, packs, cost, pickUps };
}

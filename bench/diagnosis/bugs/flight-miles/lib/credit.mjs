import { setTimeout as sleep } from 'node:timers/promises';
import { ruleFor } from './rules.mjs';

const distances = new Map([
  ['FRA-JFK', 3851],
  ['FRA-LHR', 406],
  ['MUC-SIN', 6241],
  ['VIE-LIS', 1430],
]);

const balances = new Map();

const routeDistance = async (from, to) => {
  await sleep(2);
  return distances.get(`${from}-${to}`) ?? distances.get(`${to}-${from}`) ?? null;
};

const addMiles = async (member, miles) => {
  await sleep(2);
  const balance = (balances.get(member) ?? 0) + miles;
  balances.set(member, balance);
  return balance;
};

export const creditFlight = async (member, flight) => {
  const distance = await routeDistance(flight.from, flight.to);
  if (distance === null) return null;
  const rule = ruleFor(flight.bookingClass);
  const miles = Math.max(Math.round(distance * rule.factor), rule.minimum);
  const balance = await addMiles(member, miles);
  return { member, miles, balance };
};

import { validate } from './validate.mjs';

const DAY = 24 * 60 * 60 * 1000;
const dailyRate = { small: 32, family: 48, van: 75 };
let nextNumber = 500;

export function rentalPrice({ carClass, pickUp, dropOff, driver }) {
  const days = Math.ceil((Date.parse(dropOff) - Date.parse(pickUp)) / DAY);
  const youngDriverFee = driver.age < 25 ? 6 * days : 0;
  const discount = days >= 7 ? 0.9 : 1;
  return Math.round((dailyRate[carClass] * days * discount + youngDriverFee) * 100) / 100;
}

async function saveRental(rental) {
  await new Promise((resolve) => setTimeout(resolve, 2));
  return { number: `R${nextNumber++}`, ...rental };
}

export async function requestRental(request) {
  const problems = validate(request);
  if (problems.length > 0) return { accepted: false, problems };
  const rental = await saveRental({ carClass: request.carClass, price: rentalPrice(request) });
  return { accepted: true, rental };
}

import { shiftHours } from './shifts.mjs';

const staff = new Map([
  ['E10', { name: 'Nadia', hourly: 18 }],
  ['E11', { name: 'Oskar', hourly: 21.5 }],
  ['E12', { name: 'Pia', hourly: 16 }],
]);
const sundayFactor = 1.5;

async function findEmployee(id) {
  await new Promise((resolve) => setTimeout(resolve, 2));
  return staff.get(id);
}

function isSunday(date) {
  return new Date(`${date}T12:00:00Z`).getUTCDay() === 0;
}

export function shiftPay(shift, hourly) {
  const hours = shiftHours(shift);
  const factor = isSunday(shift.date) ? sundayFactor : 1;
  return { date: shift.date, hours, pay: hours * hourly * factor };
}

export async function weeklyPay(employeeId, shifts) {
  const employee = await findEmployee(employeeId);
  if (!employee) return null;
  const lines = shifts.map((shift) => shiftPay(shift, employee.hourly));
  const total = lines.reduce((sum, line) => sum + line.pay, 0);
  return { employee: employee.name, lines, total };
}

const MAX_DAY = 10;

export function totalHours(sheet) {
  return sheet.entries.reduce((sum, entry) => sum + entry.hours, 0);
}

export function longDays(sheet) {
  return sheet.entries.filter(({ hours }) => hours > MAX_DAY).map(({ day }) => day);
}

export function byProject(sheet) {
  const hours = {};
  for (const entry of sheet.entries) hours[entry.project] = (hours[entry.project] ?? 0) + entry.hours;
  return hours;
}

export function assertIndependent(approver, owner) {
  if (approver === owner) throw Object.assign(new Error('nobody approves their own timesheet'), { statusCode: 403 });
  return true;
}

const GRADES = [
  { grade: 'elite', from: 0.95 },
  { grade: 'certified', from: 0.85 },
  { grade: 'standard', from: 0.7 },
];
const BINS = [
  { bin: 'sack', holds: 50 },
  { bin: 'big bag', holds: 1000 },
  { bin: 'silo', holds: 40_000 },
];

export function gradeOf(germination) {
  return GRADES.find(({ from }) => germination >= from)?.grade ?? 'feed';
}

export function binFor(kilos) {
  return BINS.find(({ holds }) => kilos <= holds)?.bin ?? 'split';
}

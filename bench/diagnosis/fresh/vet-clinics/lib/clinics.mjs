const WEEK = (from, to) => ({ mon: [from, to], tue: [from, to], wed: [from, to], thu: [from, to], fri: [from, to] });

const clinics = new Map([
  ['lisboa', { name: 'Clínica do Rato', zone: 'Europe/Lisbon', hours: { ...WEEK('08:30', '19:00'), sat: ['09:00', '13:00'] }, vets: ['Dr Pires', 'Dr Lobo'] }],
  ['york', { name: 'Micklegate Vets', zone: 'Europe/London', hours: WEEK('08:00', '18:30'), vets: ['Dr Hale', 'Dr Nkemelu'] }],
  ['wellington', { name: 'Cuba Street Animal Clinic', zone: 'Pacific/Auckland', hours: { ...WEEK('08:00', '18:00'), sat: ['09:00', '12:30'] }, vets: ['Dr Tamihana', 'Dr Voss'] }],
]);

export async function clinicBySlug(slug) {
  const clinic = clinics.get(slug);
  if (!clinic) throw Object.assign(new Error(`no clinic ${slug}`), { statusCode: 404 });
  return { slug, ...clinic };
}

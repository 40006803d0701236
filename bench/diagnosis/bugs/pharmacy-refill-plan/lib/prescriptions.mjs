const prescriptions = new Map([
  ['RX-1', { id: 'RX-1', drug: 'metformin', perDay: 2, packSize: 60, price: 4.2 }],
  ['RX-2', { id: 'RX-2', drug: 'ramipril', perDay: 1, packSize: 28, price: 3.1 }],
  ['RX-3', { id: 'RX-3', drug: 'levothyroxine', perDay: 1, packSize: 50, price: 2.6 }],
  ['RX-4', { id: 'RX-4', drug: 'amoxicillin', perDay: 3, packSize: 21, price: 5.9 }],
]);

export async function findPrescription(id) {
  await new Promise((resolve) => setTimeout(resolve, 2));
  return prescriptions.get(id);
}

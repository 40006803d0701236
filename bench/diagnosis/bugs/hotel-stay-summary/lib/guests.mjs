const guests = new Map([
  [101, { id: 101, name: 'Ines Moreau', language: 'fr', preferences: { pillow: 'feather', floor: 'high', newspaper: true } }],
  [102, { id: 102, name: 'Tom Harding', language: 'en', preferences: { pillow: 'foam', floor: 'low', newspaper: false } }],
  [103, { id: 103, name: 'Keiko Sato', language: 'ja', preferences: { pillow: 'foam', floor: 'high', newspaper: true } }],
  [104, { id: 104, name: 'Paul Lindqvist', language: 'sv', preferences: null }],
  [105, { id: 105, name: 'Maria Rossi', language: 'it', preferences: { pillow: 'feather', floor: 'low', newspaper: false } }],
]);

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export async function findGuest(id) {
  await pause(2);
  return guests.get(id);
}

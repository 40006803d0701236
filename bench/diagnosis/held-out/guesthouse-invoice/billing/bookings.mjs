import { setTimeout as delay } from 'node:timers/promises';

const bookings = {
  501: { guest: 'Carla Reis', room: 'garden', arrival: '2025-02-03', departure: '2025-02-06', breakfast: true },
  502: { guest: 'Peter Holm', room: 'attic', arrival: '2025-02-14', departure: '2025-02-16', breakfast: false },
  503: { guest: 'Yuki Mori', room: 'river', arrival: '2025-03-07', departure: '2025-03-11', breakfast: true },
  504: { guest: 'Ana Duarte', room: 'garden', arrival: '2025-03-20', departure: '2025-03-21', breakfast: false },
  505: { guest: 'Liam Byrne', room: 'attic', arrival: '2025-04-11', departure: '2025-04-14', breakfast: true },
  506: { guest: 'Sofia Lang', room: 'river', arrival: '2025-03-21', departure: '2025-03-24', breakfast: true },
  507: { guest: 'Marek Vlk', room: 'river', arrival: '2025-03-28', departure: '2025-03-31', breakfast: true },
};

export async function loadBooking(id) {
  await delay(2);
  return bookings[id];
}

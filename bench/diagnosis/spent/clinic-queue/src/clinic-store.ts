import { setTimeout as wait } from 'node:timers/promises';

export interface Clinic {
  id: string;
  name: string;
  doctors: number;
  opens: number;
}

export interface Visit {
  clinic: string;
  minutes: number;
  noShow: boolean;
}

const clinics: Clinic[] = [
  { id: 'harbour', name: 'Harbour Practice', doctors: 2, opens: 8 },
  { id: 'mill', name: 'Mill Lane Surgery', doctors: 1, opens: 9 },
  { id: 'eye', name: 'Eye Clinic', doctors: 3, opens: 8 },
  { id: 'skin', name: 'Skin Clinic', doctors: 1, opens: 10 },
];

const minutes: Record<string, number[]> = {
  harbour: [14, 22, 0, 17, 31, 12, 19, 15, 25],
  mill: [11, 18, 13, 16, 0, 27, 12, 21],
  eye: [34, 41, 28, 55, 0, 39, 30, 46],
  skin: [12, 9, 7, 0, 25, 8, 11, 6, 14, 9, 10],
};

export class ClinicStore {
  async find(id: string): Promise<Clinic | undefined> {
    await wait(3);
    return clinics.find((clinic) => clinic.id === id);
  }

  async recentVisits({ id }: Clinic): Promise<Visit[]> {
    await wait(8);
    return (minutes[id] ?? []).map((duration) => ({ clinic: id, minutes: duration, noShow: duration === 0 }));
  }
}

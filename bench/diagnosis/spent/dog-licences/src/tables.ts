export interface Dog {
  tag: string;
  name: string;
  breed: string;
  owner: string;
  licensedUntil: string;
}

export interface Owner {
  id: string;
  title: string;
  surname: string;
  street: string;
  mergedInto: string | null;
}

export const dogs: Dog[] = [
  { tag: 'T-5001', name: 'Juno', breed: 'Beagle', owner: 'w-11', licensedUntil: '2025-06-30' },
  { tag: 'T-5002', name: 'Rufus', breed: 'Boxer', owner: 'w-12', licensedUntil: '2025-09-30' },
  { tag: 'T-5003', name: 'Momo', breed: 'Pug', owner: 'w-13', licensedUntil: '2026-01-31' },
  { tag: 'T-5004', name: 'Kira', breed: 'Akita', owner: 'w-14', licensedUntil: '2025-06-30' },
  { tag: 'T-5005', name: 'Oskar', breed: 'Dachshund', owner: 'w-15', licensedUntil: '2025-12-31' },
  { tag: 'T-5006', name: 'Bella', breed: 'Boxer', owner: 'w-12', licensedUntil: '2025-06-30' },
];

// People who registered twice are merged: The older record stays, because papers refer to it.
export const owners: Owner[] = [
  { id: 'w-11', title: 'Ms', surname: 'Falk', street: 'Lindenweg 4', mergedInto: null },
  { id: 'w-12', title: 'Mr', surname: 'Adeyemi', street: 'Am Hang 17', mergedInto: null },
  { id: 'w-13', title: 'Dr', surname: 'Petrov', street: 'Kirchplatz 1', mergedInto: null },
  { id: 'w-14', title: 'Ms', surname: 'Brand', street: 'Alte Gasse 9', mergedInto: 'w-16' },
  { id: 'w-15', title: 'Mr', surname: 'Sommer', street: 'Seestr. 33', mergedInto: null },
  { id: 'w-16', title: 'Ms', surname: 'Brand-Okoye', street: 'Neuer Markt 2', mergedInto: null },
];

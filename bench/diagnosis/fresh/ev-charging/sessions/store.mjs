const session = (id, operator, station, driver, meterStart, startedAt) => ({ id, operator, station, driver, meterStart, startedAt });

const sessions = new Map(
  [
    session('s-7101', 'NL-VLT', 'Utrecht Jaarbeurs 3', 'rfid-04A1', 81_220.4, '2025-06-02T08:10:00Z'),
    session('s-7102', 'DE-OST', 'Leipzig Messe 12', 'rfid-9C77', 10_554.0, '2025-06-02T08:44:00Z'),
    session('s-7103', 'NO-FJL', 'Førde Kai 1', 'app-55120', 332.9, '2025-06-02T09:01:00Z'),
    session('s-7104', 'NL-VLT', 'Zwolle Noord 2', 'app-60418', 44_012.7, '2025-06-02T09:20:00Z'),
    session('s-7105', 'DE-OST', 'Gera Süd 1', 'app-11873', 7031.2, '2025-06-02T10:05:00Z'),
    session('s-7106', 'NO-FJL', 'Voss 4', 'rfid-20EE', 18_900.0, '2025-06-02T10:12:00Z'),
    session('s-7107', 'BE-MAA', 'Dinant Gare 2', 'app-70291', 2950.5, '2025-06-02T10:31:00Z'),
  ].map((one) => [one.id, one]),
);

export async function findSession(id) {
  await new Promise((resolve) => setTimeout(resolve, 1));
  const found = sessions.get(id);
  if (!found) throw Object.assign(new Error(`no session ${id}`), { statusCode: 404 });
  return { ...found };
}

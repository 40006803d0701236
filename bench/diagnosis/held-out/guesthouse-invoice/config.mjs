// The house is in Porto, and so are all dates in the booking calendar.
process.env.TZ = 'Europe/Lisbon';

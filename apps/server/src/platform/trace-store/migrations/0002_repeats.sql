-- A step may stand for many calls of its function: JSON text of how many there were and how long they took; empty for one call.
ALTER TABLE steps ADD COLUMN IF NOT EXISTS repeat String CODEC(ZSTD(1)) AFTER line_number;

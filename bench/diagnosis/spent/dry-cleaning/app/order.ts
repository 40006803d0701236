export interface Line {
  garment: string;
  pieces: number;
}

export interface Order {
  droppedOff: string;
  lines: Line[];
}

function parseLine({ garment, pieces = 1 }: Partial<Line>): Line {
  if (typeof garment !== 'string') throw Object.assign(new Error('a line needs a garment'), { status: 400 });
  return { garment: garment.toLowerCase(), pieces };
}

export function parseOrder(body: { droppedOff: string; lines: Partial<Line>[] }): Order {
  return { droppedOff: body.droppedOff, lines: body.lines.map(parseLine) };
}

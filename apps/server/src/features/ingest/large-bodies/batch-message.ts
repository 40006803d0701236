import { releaseBuffer } from '../../../platform/buffers/release-buffer.ts';
import { ownsMemory, toTransferable } from '../../../platform/buffers/transferable.ts';
import type { IngestProject } from '../../projects/index.ts';
import type { Batch, BatchTrace, SpanGroup } from '../batch/batch.ts';
import { type AttributesMessage, TraceAttributes } from '../encode/trace-attributes.ts';

/** Rows are joined into pieces of this size, because passing each piece between threads costs some microseconds. */
const PIECE_BYTES = 1024 * 1024;

/** A byte range in one of a message's pieces. */
interface Place {
  readonly piece: number;
  readonly start: number;
  readonly end: number;
}

interface TraceMessage
  extends Omit<BatchTrace, 'traceRow' | 'searchFields' | 'stepRows' | 'sourceRows' | 'span'> {
  readonly traceRow: Place;
  readonly searchFields: Place;
  readonly stepRows: readonly Place[];
  readonly sourceRows: Place | undefined;
  readonly span:
    | { readonly traceId: string; readonly spanId: string; readonly attributes: AttributesMessage }
    | undefined;
}

/** A batch as passed between threads. `pieces` contains the rows of the batch, and is transferred, not copied. */
export interface BatchMessage extends Omit<Batch, 'project' | 'traces' | 'spans'> {
  readonly traces: readonly TraceMessage[];
  readonly spans: readonly (Omit<SpanGroup, 'rows'> & { readonly rows: Place })[];
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
}

/** Converts a batch to a message. The batch must not be used afterwards. */
export function toMessage({ key, answer, traces, spans, fullTraces }: Batch): BatchMessage {
  const rows = new RowPieces();
  return {
    key,
    answer,
    fullTraces,
    traces: traces.map(({ traceRow, searchFields, stepRows, sourceRows, span, ...trace }) => ({
      ...trace,
      traceRow: rows.add(traceRow),
      searchFields: rows.add(searchFields),
      sourceRows: sourceRows.length === 0 ? undefined : rows.add(sourceRows),
      stepRows: stepRows.map((piece) => rows.add(piece)),
      span: span && { ...span, attributes: span.attributes.toMessage() },
    })),
    spans: spans.map((group) => ({ ...group, rows: rows.add(group.rows) })),
    pieces: rows.pieces(),
  };
}

export function readMessage(message: BatchMessage, project: IngestProject): Batch {
  const { key, answer, traces, spans, fullTraces } = message;
  const pieces = message.pieces.map(({ buffer }) => buffer);
  const bytesAt = ({ piece, start, end }: Place): Buffer => {
    const bytes = pieces[piece];
    if (bytes === undefined) throw new RangeError(`a batch has no piece ${piece}`);
    return Buffer.from(bytes, start, end - start);
  };
  return {
    key,
    answer,
    project,
    fullTraces,
    traces: traces.map(({ traceRow, searchFields, stepRows, sourceRows, span, ...trace }) => ({
      ...trace,
      traceRow: bytesAt(traceRow),
      searchFields: bytesAt(searchFields),
      sourceRows: sourceRows === undefined ? Buffer.alloc(0) : bytesAt(sourceRows),
      stepRows: stepRows.map(bytesAt),
      span: span && { ...span, attributes: TraceAttributes.fromMessage(span.attributes) },
    })),
    spans: spans.map((group) => ({ ...group, rows: bytesAt(group.rows) })),
  };
}

/** Packs rows into a few transferable pieces of memory. */
class RowPieces {
  readonly #pieces: Uint8Array<ArrayBuffer>[] = [];
  #open: Uint8Array<ArrayBuffer> | undefined;
  #used = 0;

  add(rows: Buffer): Place {
    if (rows.length > PIECE_BYTES / 2) return this.#addWhole(rows);
    if (this.#open === undefined || this.#used + rows.length > PIECE_BYTES) {
      this.#open = new Uint8Array(PIECE_BYTES);
      this.#used = 0;
      this.#pieces.push(this.#open);
    }
    const piece = this.#pieces.lastIndexOf(this.#open);
    const start = this.#used;
    this.#open.set(rows, start);
    this.#used += rows.length;
    const place = { piece, start, end: this.#used };
    // Frees the rows after they were copied. Otherwise the thread would keep both copies in memory until its next body.
    if (ownsMemory(rows)) releaseBuffer(rows);
    return place;
  }

  #addWhole(rows: Buffer): Place {
    this.#pieces.push(toTransferable(rows));
    return { piece: this.#pieces.length - 1, start: 0, end: rows.length };
  }

  pieces(): readonly Uint8Array<ArrayBuffer>[] {
    return this.#pieces;
  }
}

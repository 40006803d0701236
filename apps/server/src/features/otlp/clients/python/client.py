"""Sends one failed request's spans with OpenTelemetry's SDK for Python and prints, as JSON, their ids and the errors that the SDK reported.

client.py ENDPOINT KEY gzip|none START_NANOS [too-old]
"""

import json
import logging
import sys

from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Link, SpanContext, SpanKind, Status, StatusCode, TraceFlags, set_span_in_context

endpoint, key, compression, start = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
warnings = []


class Teller(logging.Handler):
    def emit(self, record):
        warnings.append(record.getMessage())


logging.getLogger().addHandler(Teller())

provider = TracerProvider(
    resource=Resource(
        {"service.name": "checkout", "service.version": "1.2.3", "deployment.environment.name": "test"}
    ),
    shutdown_on_exit=False,
)
exporter = OTLPSpanExporter(
    endpoint=endpoint,
    headers={"x-api-key": key},
    compression=Compression.Gzip if compression == "gzip" else Compression.NoCompression,
)
provider.add_span_processor(BatchSpanProcessor(exporter))
tracer = provider.get_tracer("tests", "1.0.0")

if len(sys.argv) > 5:
    tracer.start_span("GET /old", kind=SpanKind.SERVER, start_time=1_000_000_000).end(1_000_000_001)
root = tracer.start_span(
    "POST /orders/:id",
    kind=SpanKind.SERVER,
    start_time=start,
    attributes={
        "http.request.method": "POST",
        "url.path": "/orders/17",
        "http.route": "/orders/:id",
        "http.response.status_code": 500,
    },
)
query = tracer.start_span(
    "SELECT orders",
    context=set_span_in_context(root),
    kind=SpanKind.CLIENT,
    start_time=start + 1001,
    attributes={"db.system.name": "postgresql", "db.query.text": "SELECT 1"},
)
query.add_event("cache.miss", {"key": "ünï"}, timestamp=start + 1500)
linked = SpanContext(
    0x0AF7651916CD43DD8448EB211C80319C, 0xB7AD6B7169203331, is_remote=True, trace_flags=TraceFlags(1)
)
parse = tracer.start_span(
    "parse",
    context=set_span_in_context(query),
    start_time=start + 2002,
    links=[Link(linked, {"why": "batch"})],
    attributes={"text": "ünï 😀", "list": ["a", "b"], "count": 9007199254740993, "ratio": 0.1, "ok": True},
)
try:
    raise LookupError("no rows")
except LookupError as error:
    parse.record_exception(error)
parse.set_status(Status(StatusCode.ERROR, "no rows"))
parse.end(start + 3003)
query.end(start + 4004)
root.end(start + 5005)
# A shutdown alone would end pending retries.
provider.force_flush(30_000)
provider.shutdown()


def span_id(span):
    return format(span.get_span_context().span_id, "016x")


print(
    json.dumps(
        {
            "traceId": format(root.get_span_context().trace_id, "032x"),
            "root": span_id(root),
            "query": span_id(query),
            "parse": span_id(parse),
            "warnings": warnings,
        }
    )
)

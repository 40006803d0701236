import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;

/**
 * Sends one failed request's spans with OpenTelemetry's SDK for Java and prints, as JSON, their ids and the errors that the SDK reported.
 *
 * <p>Client ENDPOINT KEY gzip|none START_NANOS [too-old]
 */
public final class Client {
  public static void main(String[] args) {
    List<String> warnings = new CopyOnWriteArrayList<>();
    Logger root = Logger.getLogger("");
    for (Handler handler : root.getHandlers()) root.removeHandler(handler);
    root.addHandler(
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            if (record.getLevel().intValue() >= Level.WARNING.intValue()) warnings.add(record.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        });
    send(args, warnings);
  }

  private static void send(String[] args, List<String> warnings) {
    long start = Long.parseLong(args[3]);
    OtlpHttpSpanExporter exporter =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(args[0])
            .addHeader("x-api-key", args[1])
            .setCompression(args[2])
            .setRetryPolicy(RetryPolicy.builder().setInitialBackoff(Duration.ofMillis(100)).build())
            .build();
    SdkTracerProvider provider =
        SdkTracerProvider.builder()
            .setResource(
                Resource.create(
                    Attributes.builder()
                        .put("service.name", "checkout")
                        .put("service.version", "1.2.3")
                        .put("deployment.environment.name", "test")
                        .build()))
            .addSpanProcessor(BatchSpanProcessor.builder(exporter).build())
            .build();
    Tracer tracer = provider.tracerBuilder("tests").setInstrumentationVersion("1.0.0").build();
    if (args.length > 4) {
      tracer
          .spanBuilder("GET /old")
          .setNoParent()
          .setSpanKind(SpanKind.SERVER)
          .setStartTimestamp(1_000_000_000, TimeUnit.NANOSECONDS)
          .startSpan()
          .end(1_000_000_001, TimeUnit.NANOSECONDS);
    }
    Span root =
        tracer
            .spanBuilder("POST /orders/:id")
            .setNoParent()
            .setSpanKind(SpanKind.SERVER)
            .setStartTimestamp(start, TimeUnit.NANOSECONDS)
            .setAttribute("http.request.method", "POST")
            .setAttribute("url.path", "/orders/17")
            .setAttribute("http.route", "/orders/:id")
            .setAttribute("http.response.status_code", 500)
            .startSpan();
    Span query =
        tracer
            .spanBuilder("SELECT orders")
            .setParent(Context.root().with(root))
            .setSpanKind(SpanKind.CLIENT)
            .setStartTimestamp(start + 1001, TimeUnit.NANOSECONDS)
            .setAttribute("db.system.name", "postgresql")
            .setAttribute("db.query.text", "SELECT 1")
            .startSpan();
    query.addEvent("cache.miss", Attributes.builder().put("key", "ünï").build(), start + 1500, TimeUnit.NANOSECONDS);
    SpanContext linked =
        SpanContext.create(
            "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", TraceFlags.getSampled(), TraceState.getDefault());
    Span parse =
        tracer
            .spanBuilder("parse")
            .setParent(Context.root().with(query))
            .setStartTimestamp(start + 2002, TimeUnit.NANOSECONDS)
            .addLink(linked, Attributes.builder().put("why", "batch").build())
            .setAttribute("text", "ünï 😀")
            .setAttribute(AttributeKey.stringArrayKey("list"), List.of("a", "b"))
            .setAttribute("count", 9007199254740993L)
            .setAttribute("ratio", 0.1)
            .setAttribute("ok", true)
            .startSpan();
    parse.recordException(new IllegalStateException("no rows"));
    parse.setStatus(StatusCode.ERROR, "no rows");
    parse.end(start + 3003, TimeUnit.NANOSECONDS);
    query.end(start + 4004, TimeUnit.NANOSECONDS);
    root.end(start + 5005, TimeUnit.NANOSECONDS);
    provider.forceFlush().join(30, TimeUnit.SECONDS);
    provider.shutdown().join(30, TimeUnit.SECONDS);
    new PrintStream(System.out, true, StandardCharsets.UTF_8)
        .printf(
            "{\"traceId\":%s,\"root\":%s,\"query\":%s,\"parse\":%s,\"warnings\":[%s]}%n",
            json(root.getSpanContext().getTraceId()),
            json(root.getSpanContext().getSpanId()),
            json(query.getSpanContext().getSpanId()),
            json(parse.getSpanContext().getSpanId()),
            warnings.stream().map(Client::json).collect(Collectors.joining(",")));
  }

  private static String json(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n").replace("\t", "\\t") + '"';
  }
}

// Sends one failed request's spans with OpenTelemetry's SDK for Go and prints, as JSON, their ids and the errors that the SDK reported.
//
//	client ENDPOINT KEY gzip|none START_NANOS [too-old]
//
// ENDPOINT is the address of OTLP over HTTP, or grpc://HOST:PORT.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"os"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

type sent struct {
	TraceID  string   `json:"traceId"`
	Root     string   `json:"root"`
	Query    string   `json:"query"`
	Parse    string   `json:"parse"`
	Warnings []string `json:"warnings"`
}

// newExporter builds an exporter that retries soon, and for 20 seconds.
func newExporter(ctx context.Context, endpoint, key string, gzip bool) (sdktrace.SpanExporter, error) {
	headers := map[string]string{"x-api-key": key}
	if address, isGRPC := strings.CutPrefix(endpoint, "grpc://"); isGRPC {
		options := []otlptracegrpc.Option{
			otlptracegrpc.WithEndpoint(address), otlptracegrpc.WithInsecure(), otlptracegrpc.WithHeaders(headers),
			otlptracegrpc.WithRetry(otlptracegrpc.RetryConfig{
				Enabled: true, InitialInterval: 10 * time.Millisecond, MaxInterval: time.Second, MaxElapsedTime: 20 * time.Second,
			}),
		}
		if gzip {
			options = append(options, otlptracegrpc.WithCompressor("gzip"))
		}
		return otlptracegrpc.New(ctx, options...)
	}
	compression := otlptracehttp.NoCompression
	if gzip {
		compression = otlptracehttp.GzipCompression
	}
	return otlptracehttp.New(ctx,
		otlptracehttp.WithEndpointURL(endpoint),
		otlptracehttp.WithHeaders(headers),
		otlptracehttp.WithCompression(compression),
		otlptracehttp.WithRetry(otlptracehttp.RetryConfig{
			Enabled: true, InitialInterval: 10 * time.Millisecond, MaxInterval: time.Second, MaxElapsedTime: 20 * time.Second,
		}),
	)
}

func main() {
	ctx := context.Background()
	start, err := strconv.ParseInt(os.Args[4], 10, 64)
	if err != nil {
		log.Fatal(err)
	}
	warnings := []string{}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { warnings = append(warnings, err.Error()) }))
	exporter, err := newExporter(ctx, os.Args[1], os.Args[2], os.Args[3] == "gzip")
	if err != nil {
		log.Fatal(err)
	}
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithBatcher(exporter),
		sdktrace.WithResource(resource.NewSchemaless(
			attribute.String("service.name", "checkout"),
			attribute.String("service.version", "1.2.3"),
			attribute.String("deployment.environment.name", "test"),
		)),
	)
	tracer := provider.Tracer("tests", trace.WithInstrumentationVersion("1.0.0"))
	at := func(nanos int64) trace.SpanStartEventOption { return trace.WithTimestamp(time.Unix(0, nanos)) }

	if len(os.Args) > 5 {
		_, old := tracer.Start(ctx, "GET /old", at(1_000_000_000), trace.WithSpanKind(trace.SpanKindServer))
		old.End(trace.WithTimestamp(time.Unix(0, 1_000_000_001)))
	}
	ctx, root := tracer.Start(ctx, "POST /orders/:id", at(start), trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(
		attribute.String("http.request.method", "POST"),
		attribute.String("url.path", "/orders/17"),
		attribute.String("http.route", "/orders/:id"),
		attribute.Int("http.response.status_code", 500),
	))
	ctx, query := tracer.Start(ctx, "SELECT orders", at(start+1001), trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(
		attribute.String("db.system.name", "postgresql"),
		attribute.String("db.query.text", "SELECT 1"),
	))
	query.AddEvent("cache.miss", trace.WithTimestamp(time.Unix(0, start+1500)), trace.WithAttributes(attribute.String("key", "ünï")))
	traceID, _ := trace.TraceIDFromHex("0af7651916cd43dd8448eb211c80319c")
	spanID, _ := trace.SpanIDFromHex("b7ad6b7169203331")
	link := trace.Link{
		SpanContext: trace.NewSpanContext(trace.SpanContextConfig{TraceID: traceID, SpanID: spanID, TraceFlags: trace.FlagsSampled}),
		Attributes:  []attribute.KeyValue{attribute.String("why", "batch")},
	}
	_, parse := tracer.Start(ctx, "parse", at(start+2002), trace.WithLinks(link), trace.WithAttributes(
		attribute.String("text", "ünï 😀"),
		attribute.StringSlice("list", []string{"a", "b"}),
		attribute.Int64("count", 9007199254740993),
		attribute.Float64("ratio", 0.1),
		attribute.Bool("ok", true),
	))
	parse.RecordError(errors.New("no rows"), trace.WithStackTrace(true))
	parse.SetStatus(codes.Error, "no rows")
	parse.End(trace.WithTimestamp(time.Unix(0, start+3003)))
	query.End(trace.WithTimestamp(time.Unix(0, start+4004)))
	root.End(trace.WithTimestamp(time.Unix(0, start+5005)))
	if err := provider.ForceFlush(context.Background()); err != nil {
		warnings = append(warnings, err.Error())
	}
	if err := provider.Shutdown(context.Background()); err != nil {
		warnings = append(warnings, err.Error())
	}
	_ = json.NewEncoder(os.Stdout).Encode(sent{
		TraceID:  root.SpanContext().TraceID().String(),
		Root:     root.SpanContext().SpanID().String(),
		Query:    query.SpanContext().SpanID().String(),
		Parse:    parse.SpanContext().SpanID().String(),
		Warnings: warnings,
	})
}

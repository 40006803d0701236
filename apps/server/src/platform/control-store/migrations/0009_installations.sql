CREATE TABLE "installations" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"id" uuid NOT NULL,
	"secret_mark" text NOT NULL,
	"created_at" timestamp (6) with time zone NOT NULL
);

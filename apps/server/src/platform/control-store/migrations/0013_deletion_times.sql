CREATE TABLE "deletion_times" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"trusted_at" timestamp (6) with time zone,
	"candidate_at" timestamp (6) with time zone NOT NULL,
	"held_ms" bigint NOT NULL,
	"observer" uuid NOT NULL,
	"looks" integer NOT NULL
);
